"""Searches to hand on: one HTML file, CSV tables, OpenTelemetry spans. Each can leave out what people wrote."""

from core_search.evidence.otlp import otlp
from core_search.evidence.page import comparison_html, run_html
from core_search.evidence.tables import comparison_tables, csv_text, run_tables, zipped

__all__ = ["comparison_html", "comparison_tables", "csv_text", "otlp", "run_html", "run_tables", "zipped"]
