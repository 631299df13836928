"""The command line: parse options, call a top-level function, print. No other package imports it."""
