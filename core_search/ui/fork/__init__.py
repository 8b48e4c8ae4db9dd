"""What if: forks of the run on the Inspect page, the other handlers, and how steady the extraction is."""
