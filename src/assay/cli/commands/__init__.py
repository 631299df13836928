"""The subcommands of `assay`, one module each, by topic of the help."""
