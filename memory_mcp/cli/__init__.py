"""The command line over the services; no logic of its own."""
