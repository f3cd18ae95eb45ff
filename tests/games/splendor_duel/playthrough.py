"""Golden playthroughs: whole games as text, every step with all its legal actions, compared line by line.

``python -m tests.games.splendor_duel.playthrough`` plays the actions of the stored files again and writes what comes
out; the difference in review shows what a change of the rules changed. With seeds as arguments it adds new files.
"""

import hashlib
import re
import sys
from collections.abc import Iterable
from pathlib import Path
from random import Random

from harness.games.splendor_duel import GAME

FOLDER = Path(__file__).parent / "playthroughs"
PICTURE_EVERY = 25
STEP = re.compile(r"^\d+ seat \d: (.*)  \[", re.MULTILINE)


def render(seed: int, actions: Iterable[str]) -> str:
    """Return the text of the game that these actions make from a deal."""
    state = GAME.new(2, seed, GAME.options())
    lines = [f"seed {seed}"]
    for number, text in enumerate(actions):
        if number % PICTURE_EVERY == 0:
            lines += ["", *("# " + line for line in GAME.show(state).splitlines()), ""]
        legal = GAME.legal_actions(state)
        action = GAME.parse_action(state, text)
        assert action in legal, f"step {number}: {text} is not legal"
        digest = hashlib.sha256(state.tobytes()).hexdigest()[:8]
        lines.append(f"{number} seat {GAME.seat(state)}: {text}  [{len(legal)} legal, position {digest}]")
        lines.append("    " + " | ".join(GAME.action_text(state, other) for other in legal))
        GAME.apply(state, action)
    assert not GAME.legal_actions(state)
    lines += ["", *("# " + line for line in GAME.show(state).splitlines()), ""]
    lines.append(f"victory {GAME.victory(state)}, ranks {GAME.ranks(state)}, points {GAME.points(state)}")
    lines += [f"{name} {values}" for name, values in GAME.measures(state).items()]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def again(text: str) -> str:
    """Render a stored playthrough from its seed and actions."""
    return render(int(text.split()[1]), STEP.findall(text))


def random_actions(seed: int) -> list[str]:
    rng, state, texts = Random(seed), GAME.new(2, seed, GAME.options()), []
    while legal := GAME.legal_actions(state):
        action = rng.choice(legal)
        texts.append(GAME.action_text(state, action))
        GAME.apply(state, action)
    return texts


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for seed in map(int, sys.argv[1:]):
        (FOLDER / f"random-{seed}.txt").write_text(render(seed, random_actions(seed)), encoding="utf-8")
    for file in sorted(FOLDER.glob("*.txt")):
        file.write_text(again(file.read_text(encoding="utf-8")), encoding="utf-8")
