"""The report as one self-contained HTML page: `rendering.as_html`."""
