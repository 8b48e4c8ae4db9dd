"""One view per stage. Each takes a `View` and draws it; none of them searches."""
