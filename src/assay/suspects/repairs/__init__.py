"""Apply what the user accepts of an audit or a list of suspects, and log every change."""
