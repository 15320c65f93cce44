"""Sources and places in them: `Source`, `Sources`, `Span`; finding quotes: `locate`, `Match`."""
