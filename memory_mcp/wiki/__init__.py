"""What a page and a scope are: frontmatter, links, markers, and which scope a call means."""
