"""Commands about the installation: what it has, a demonstration, and the local web page."""
