"""One module per subcommand of `assay`."""
