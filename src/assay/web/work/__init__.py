"""Work that takes long, in processes of its own: previews, audits, repairs and tools."""
