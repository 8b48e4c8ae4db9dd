from core_search.options import REFERENCE_PROFILE
from core_search.providers.profiles import LOCAL_MODEL, LOCAL_PROFILE, profile_of


def test_each_model_has_its_profile():
    assert profile_of(LOCAL_MODEL) is LOCAL_PROFILE
    assert profile_of("text-embedding-3-small") is REFERENCE_PROFILE
    assert profile_of("somebody-elses-model") is REFERENCE_PROFILE
