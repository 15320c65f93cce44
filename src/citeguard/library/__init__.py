"""Documents to ask: kept in one file, searched, and answered from with verified references."""
