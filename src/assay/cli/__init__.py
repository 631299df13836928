"""The command line: reads options, calls a room, prints. It does no arithmetic, and nobody imports it."""
