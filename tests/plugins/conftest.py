"""The example is a package to install, not a test: collecting it would register what it defines."""

collect_ignore = ["example"]
