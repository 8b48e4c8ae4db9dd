"""What differs between searches: of one query, and over a set of judged queries."""
