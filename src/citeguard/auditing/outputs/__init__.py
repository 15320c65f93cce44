"""An audit report in the words of others: Markdown, SARIF, JUnit, a terminal."""
