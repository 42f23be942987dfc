"""The boundary that text from tools and hooks crosses."""
