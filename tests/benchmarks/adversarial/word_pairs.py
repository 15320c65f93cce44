"""Pairs of words that a careless checker takes for one another."""


def _pairs(text: str) -> tuple[tuple[str, str], ...]:
    """Read pairs written `one/other`, set apart by spaces."""
    return tuple((one, other) for one, _, other in (pair.partition("/") for pair in text.split()))


PREFIXED = _pairs(
    """
    unable/able unlikely/likely unknown/known unusual/usual uncertain/certain unclear/clear
    unaware/aware unfair/fair unfortunately/fortunately unnecessary/necessary
    unsuccessful/successful unsuccessfully/successfully unofficial/official unpopular/popular
    unsafe/safe untreated/treated unrelated/related unpublished/published unstable/stable
    unlimited/limited unpaid/paid unarmed/armed unauthorized/authorized uncommon/common
    undefeated/defeated unmarried/married unhealthy/healthy unexpected/expected
    unchanged/changed uncontrolled/controlled unaffected/affected impossible/possible
    inactive/active incomplete/complete incorrect/correct independent/dependent indirect/direct
    ineffective/effective insufficient/sufficient inappropriate/appropriate invisible/visible
    informal/formal inaccurate/accurate inadequate/adequate inconsistent/consistent
    inability/ability irregular/regular irresponsible/responsible irrelevant/relevant
    illegal/legal illegally/legally imperfect/perfect immature/mature disagree/agree
    disagreed/agreed disadvantage/advantage disadvantages/advantages dishonest/honest
    disapproved/approved nonprofit/profit non-profit/profit non-smokers/smokers nonlinear/linear
    non-linear/linear non-fiction/fiction non-invasive/invasive non-Catholic/Catholic
    non-human/human asymptomatic/symptomatic misunderstood/understood uninsured/insured
    atypical/typical abnormal/normal hopeless/hopeful harmless/harmful useless/useful
    careless/careful inexpensive/expensive unconstitutional/constitutional
    unemployment/employment unemployed/employed involuntary/voluntary insignificant/significant
    unreliable/reliable unwilling/willing untrue/true unequal/equal unlike/like impure/pure
    intolerance/tolerance instability/stability uncertainty/certainty unbalanced/balanced
    non-existent/existent non-native/native unprotected/protected unregistered/registered
    disbelief/belief dissatisfied/satisfied dislike/like disliked/liked discontinued/continued
    unconfirmed/confirmed unpredictable/predictable
    """
)
"""A word and what remains of it without its negating prefix or ending."""

ANTONYMS = _pairs(
    """
    increase/decrease increased/decreased increases/decreases increasing/decreasing rise/fall
    rose/fell good/bad high/low large/small old/new young/old early/late long/short strong/weak
    open/closed opened/closed won/lost win/lose north/south northern/southern east/west
    eastern/western left/right male/female men/women man/woman father/mother son/daughter
    brother/sister husband/wife king/queen boy/girl boys/girls public/private positive/negative
    success/failure buy/sell bought/sold accept/reject accepted/rejected support/oppose
    supported/opposed started/ended began/ended begin/end start/stop gained/lost add/remove
    added/removed inner/outer internal/external rich/poor hot/cold warm/cold light/dark
    black/white war/peace life/death born/died day/night morning/evening summer/winter
    guilty/innocent safe/dangerous easy/difficult cheap/expensive heavy/light deep/shallow
    wide/narrow true/false present/absent arrived/departed allowed/forbidden allow/forbid
    legal/unlawful employer/employee teacher/student domestic/foreign urban/rural ancient/modern
    liberal/conservative victory/defeat attack/defence friend/enemy import/export higher/lower
    reduce/raise reduced/raised improved/worsened benefits/risks advantages/drawbacks
    enhanced/inhibited promotes/inhibits activation/inhibition inhibited/promoted
    upstream/downstream presence/absence acute/chronic profit/loss profits/losses love/hate
    first/final parents/children past/future rarely/commonly
    """
)
"""Words that say the opposite of one another."""

NEAR_WORDS = _pairs(
    """
    contact/contract trial/trail trials/trails casual/causal prescribe/proscribe
    prescribed/proscribed affect/effect affected/effected affects/effects form/from lead/led
    later/latter then/than where/were there/three though/through thought/though quite/quiet
    lose/loose desert/dessert principal/principle council/counsel personal/personnel adopt/adapt
    adopted/adapted ensure/insure device/devise advice/advise accept/except moral/morale
    county/country united/untied sign/sing signed/singed martial/marital unclear/nuclear
    angel/angle diary/dairy costume/custom mouth/month mouths/months word/world words/worlds
    war/wear warn/warm food/flood fiend/friend fried/friend peace/piece site/cite sight/site
    plan/plane plans/plants plant/plan cost/coast costs/coasts live/life live/leave sea/seat
    star/start state/estate states/estates rate/rat rates/rats ground/round land/lend
    land/island price/prince price/prize crown/crowd cloud/could complement/compliment
    conservation/conversation conservative/conservation reserve/reverse reserved/reversed
    statue/statute statute/status precede/proceed eminent/imminent emigrated/immigrated
    emigration/immigration eliminate/illuminate elicit/illicit perspective/prospective
    respectively/respectfully historic/historical economic/economical industrial/industrious
    sensible/sensitive ingenious/ingenuous allusion/illusion disease/decease decrease/decease
    infection/inflection induction/infection injection/infection ration/ratio ratio/radio
    abortion/absorption adoption/adaption prosecute/persecute prosecuted/persecuted
    prosecution/persecution attain/obtain attained/obtained contained/obtained retained/obtained
    retain/regain hostile/hostel defuse/diffuse discreet/discrete exercise/exorcise
    assess/access access/excess increase/incense march/match match/watch batter/better
    better/bitter beside/besides born/borne cancel/cancer cancer/dancer caused/paused
    causes/clauses charge/change charged/changed changes/chances change/chance create/crate
    crime/prime debate/rebate major/mayor manger/manager minister/minster mission/missing
    nation/notion national/rational relation/relative ration/nation police/policy police/polite
    power/tower prison/poison present/prevent protect/project protects/projects protest/protect
    provide/provoke raise/praise raised/praised raise/raze reality/realty region/religion
    regions/religions released/relapsed rescue/rescind revolution/resolution
    evolution/revolution river/rider route/rout scared/sacred scene/scent served/severed
    service/servile several/severed sever/severe shown/shorn sold/solid son/sun south/sought
    spend/spent spread/spared stable/staple strain/stain strains/stains strike/stroke
    strong/string succeed/secede support/sport team/term teams/terms terms/teams test/text
    tests/texts treat/threat treated/threatened trust/thrust tumor/rumor vary/very
    voting/voicing weather/whether weigh/weight wing/wind winter/winner wining/winning
    women/woman won/own worth/worthy built/guilt buried/burned brought/bought bring/being
    brides/bribes bride/bridge carrier/career assistance/assistants patients/patience
    residents/residence presidents/precedents incidents/incidence correspondents/correspondence
    dependents/dependence students/studies studied/studded inhibit/inhabit inhibited/inhabited
    intense/intents interned/interred interstate/intestate hypertension/hypotension
    hyperglycemia/hypoglycemia intercellular/intracellular antenatal/neonatal abduct/adduct
    absorption/adsorption afferent/efferent ileum/ilium malleolus/malleus perfusion/profusion
    prostate/prostrate palpation/palpitation mucus/mucous oral/aural ionic/iconic
    genetic/generic genes/genres stationary/stationery tortuous/torturous upmost/utmost
    venal/venial wander/wonder wandered/wondered appraise/apprise averse/adverse amend/emend
    ascent/assent bale/bail bridal/bridle canvas/canvass censor/censure censored/censured
    coarse/course collaborate/corroborate confident/confidant decent/descent
    deprecate/depreciate disburse/disperse dual/duel elude/allude faint/feint flaunt/flout
    founder/flounder gorilla/guerrilla hoard/horde human/humane ideal/idle lightning/lightening
    liable/libel medal/meddle metal/mental naval/navel parity/party pedal/peddle poplar/popular
    pray/prey profit/prophet rational/rationale reign/rein sewage/sewerage shear/sheer sole/soul
    tack/tact tenant/tenet treaties/treatise urban/urbane veracity/voracity waist/waste
    waive/wave marine/maritime
    """
)
"""Words, both real, that differ by a small edit."""
