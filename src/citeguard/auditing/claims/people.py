"""Given names of one gender, and nouns for people."""

from __future__ import annotations

# The most frequent given names of people in news and books, where they are of one gender.
HE = frozenset(
    "james john robert michael william david richard joseph thomas charles christopher daniel"
    " matthew anthony mark donald steven paul andrew joshua kenneth kevin brian george timothy"
    " ronald edward jason jeffrey ryan jacob gary nicholas eric jonathan stephen larry justin scott"
    " brandon benjamin samuel gregory alexander frank patrick raymond jack dennis jerry tyler aaron"
    " jose adam nathan henry douglas zachary peter kyle noah ethan jeremy walter christian keith"
    " roger terry austin sean gerald carl harold dylan arthur lawrence jordan jesse bryan billy"
    " bruce gabriel joe logan alan juan albert willie elijah wayne randy vincent mason roy ralph"
    " bobby russell bradley philip eugene carlos ivan hans karl pierre jean luis pedro antonio"
    " mohammed muhammad ahmed ali omar vladimir boris dmitri barack tom tim jim bob bill ben dan"
    " mike steve dave ted fred max leo oliver harry simon martin stuart ian graham hugh isaac"
    " abraham napoleon winston elon jeff".split()
)
SHE = frozenset(
    "mary patricia jennifer linda elizabeth barbara susan jessica sarah karen lisa nancy betty"
    " sandra margaret ashley kimberly emily donna michelle carol amanda melissa deborah stephanie"
    " rebecca sharon laura cynthia dorothy amy kathleen angela shirley emma brenda pamela nicole"
    " anna samantha katherine christine helen debra rachel carolyn janet maria catherine heather"
    " diane olivia julie joyce victoria ruth virginia lauren kelly christina joan evelyn judith"
    " andrea hannah megan cheryl jacqueline martha madison teresa gloria sara janice ann kathryn"
    " abigail sophia frances jean alice judy isabella julia grace amber denise danielle marilyn"
    " beverly charlotte natalie theresa diana brittany doris kayla alexis lori marie hillary"
    " kate jane lucy ella mia zoe clara eva marta elena sofia ingrid greta marie serena venus oprah"
    " beyonce madonna taylor angelina".split()
) - frozenset(("jean",))
PERSONS = frozenset(
    "man woman boy girl mother father son daughter wife husband brother sister friend teacher"
    " officer doctor president minister king queen actor actress author singer writer player coach"
    " captain director manager founder deputy judge lawyer driver pilot student professor leader"
    " owner neighbor neighbour bishop pope senator mayor governor victim suspect person people men"
    " women children child parents patients students officials residents members workers"
    " individuals police couple".split()
)
