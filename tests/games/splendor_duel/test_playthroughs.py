"""The stored playthroughs come out the same, line by line, and between them end in every way."""

import re

import pytest

from tests.games.splendor_duel.playthrough import FOLDER, again

FILES = sorted(FOLDER.glob("*.txt"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_playthrough(file):
    text = file.read_text(encoding="utf-8")
    assert again(text).splitlines() == text.splitlines()


def test_they_end_in_every_way():
    endings = {re.search(r"^victory \('(\w+)'", file.read_text(encoding="utf-8"), re.MULTILINE)[1] for file in FILES}
    assert endings == {"color", "crowns", "points"}
