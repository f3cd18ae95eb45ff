"""One-way child seeds: everything random in a run follows from its seed and a path of names and numbers."""

import hashlib

BOT_SEED_BITS = 63  # fits a signed 64-bit integer in any language a bot is written in


def derive(seed: int, *path: str | int) -> int:
    """Return the 128-bit child of ``seed`` (any non-negative int) at ``path``.

    Distinct paths give unrelated children, and a child tells nothing about its parent or siblings (BLAKE2b).
    """
    parts = [f"i{seed}", *(f"i{part}" if isinstance(part, int) else f"s{part}" for part in path)]
    encoded = b"".join(len(data).to_bytes(4, "big") + data for data in (part.encode() for part in parts))
    return int.from_bytes(hashlib.blake2b(encoded, digest_size=16, person=b"jewel-harness").digest(), "big")


def deal_seed(run_seed: int, deal: int) -> int:
    """Return the 128-bit seed of everything luck decides in deal number ``deal``: the same for all tables."""
    return derive(run_seed, "deal", deal)


def bot_seed(run_seed: int, table: tuple[str, ...], deal: int, rotation: int, name: str) -> int:
    """Return a bot's own 63-bit seed for one game; it tells nothing about the deal."""
    return derive(run_seed, "bot", len(table), *table, deal, rotation, name) >> (128 - BOT_SEED_BITS)
