"""The offline extractor: rules that stand in for the LLM."""

from core_search.router.rules.extractor import RulesExtractor

__all__ = ["RulesExtractor"]
