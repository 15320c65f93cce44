"""The formats of an audit report: HTML, Markdown, SARIF, JUnit, and for a terminal."""
