"""What a result looks like to people: facts, tables, charts and sentences, described once and rendered everywhere."""
