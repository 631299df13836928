"""Results for people: facts, tables, charts and sentences, described once and rendered everywhere."""
