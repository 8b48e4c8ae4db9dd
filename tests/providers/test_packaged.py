import pytest

from core_search.errors import ProviderError
from core_search.providers.packaged import PackagedFile


def test_a_missing_package_names_the_remedy():
    with pytest.raises(
        ProviderError, match=r"'no-such-package' is not installed; run: pip install .*no-such-package==1"
    ):
        PackagedFile("no-such-package", "1", "model.onnx", None).read()


def test_a_missing_file_names_package_and_path():
    with pytest.raises(ProviderError, match=r"'gone.onnx' of package 'numpy' cannot be read"):
        PackagedFile("numpy", "2", "gone.onnx", None).read()


def test_other_bytes_are_refused():
    with pytest.raises(ProviderError, match=r"has SHA-256 .*, expected 00"):
        PackagedFile("numpy", "2", "numpy/__init__.py", "00").read()
