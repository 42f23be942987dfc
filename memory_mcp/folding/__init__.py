"""How what hooks spooled becomes sessions, their pages, handoffs and log lines."""
