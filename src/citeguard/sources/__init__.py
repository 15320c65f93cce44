"""Sources and places in them: `Source`, `Sources`, `Span`; where quotes are: `locate`, `Match`."""
