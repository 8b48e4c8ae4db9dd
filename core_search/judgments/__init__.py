"""Relevance judged by people: query sets, pools of items, grades, agreement, and the way in and out of files."""
