"""Searching the web: what a search provider is, and those that citeguard speaks to."""
