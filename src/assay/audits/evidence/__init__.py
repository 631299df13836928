"""What the sections of an audit measured: one frozen dataclass per section, read by findings, charts and exports."""
