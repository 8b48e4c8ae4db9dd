"""Which cosine thresholds belong to which embedding model (SPEC 2, "Numbers")."""

from __future__ import annotations

from core_search.options import REFERENCE_PROFILE, EmbeddingProfile

LOCAL_MODEL = "all-MiniLM-L6-v2-int8"

# Short texts about one thing lie further apart in this model than in the reference model, so thresholds are lower.
# `core-search calibrate --only thresholds` prints the distributions behind them and what its rules give. Hints and
# look-ups follow the rule. For labels it would let nearly every label in: of 0.30, 0.35 and 0.40
# the one in use ranks the sample's judged queries best (`core-search evaluate --set label_threshold=…`).
LOCAL_PROFILE = EmbeddingProfile(
    name=LOCAL_MODEL,
    label_threshold=0.35,
    label_fallback=0.25,
    hint_threshold=0.54,
    lookup_threshold=0.64,
    episode_threshold=0.25,
    voice_threshold=0.35,
)

_PROFILES = {profile.name: profile for profile in (LOCAL_PROFILE, REFERENCE_PROFILE)}


def profile_of(model: str) -> EmbeddingProfile:
    """The profile of a model. A model that nobody calibrated gets the reference profile, which says its own name."""
    return _PROFILES.get(model, REFERENCE_PROFILE)
