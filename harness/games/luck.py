"""The random numbers of the rules: small, the same with and without the JIT, and keyed, so luck can be hidden.

A hidden key of three 32-bit words and an event number (which source of luck, which use of it) start a generator: Chris
Doty-Humphrey's sfc32, 32-bit additions, shifts and exclusive-ors only, so nothing overflows an int64. A generator is
four ints ``(a, b, c, k)`` held in local variables.
"""

import hashlib

from harness.games.jit import compiler

kernel = compiler()

MASK = 0xFFFFFFFF
_WARM_UP = 16  # rounds until every bit of key and event has reached every bit of the state


@kernel("UniTuple(int64, 4)(int64, int64, int64, int64)", inner=True)
def start(key0: int, key1: int, key2: int, event: int) -> tuple[int, int, int, int]:
    """Return the generator of one event under a key."""
    a, b, c, k = key0, key1, key2, event & MASK
    for _ in range(_WARM_UP):
        t = (a + b + k) & MASK
        k = (k + 1) & MASK
        a = b ^ (b >> 9)
        b = (c + (c << 3)) & MASK
        c = ((((c << 21) & MASK) | (c >> 11)) + t) & MASK
    return a, b, c, k


@kernel("UniTuple(int64, 5)(int64, int64, int64, int64, int64)", inner=True)
def below(a: int, b: int, c: int, k: int, n: int) -> tuple[int, int, int, int, int]:
    """Return the generator after one step, and an int in ``0 .. n - 1``.

    Uniform to within n / 2**32, which no tournament can notice (n is at most a few dozen).
    """
    t = (a + b + k) & MASK
    k = (k + 1) & MASK
    a = b ^ (b >> 9)
    b = (c + (c << 3)) & MASK
    c = ((((c << 21) & MASK) | (c >> 11)) + t) & MASK
    return a, b, c, k, (t * n) >> 32


def split_key(key: int) -> tuple[int, int, int]:
    """Return a 96-bit key as its three words, lowest first."""
    return key & MASK, (key >> 32) & MASK, (key >> 64) & MASK


def key_words(seed: int) -> tuple[int, int, int]:
    """Return the key that belongs to a seed (any non-negative int): a one-way hash, never all zero in practice."""
    size = max(1, (seed.bit_length() + 7) // 8)
    return split_key(int.from_bytes(hashlib.blake2b(seed.to_bytes(size, "little"), digest_size=12).digest(), "little"))
