"""What every other package builds on: errors, results, registries, files, numbers and sentences."""
