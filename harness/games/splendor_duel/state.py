"""The words of a State of Splendor Duel: what stands where in the int64 array.

Every value is in ``[0, 2**62)`` (RESULT may be -1). Sets of tokens are lanes, sets of cells, cards and royals are masks
(see tables.py). Words marked *hidden* are 0 in a View.
"""

PHASE = 0  # what the mover has to choose, see below
MOVER = 1
TURN = 2  # turns begun, extra turns included; 1 at the start
TURN_LIMIT = 3
RESULT = 4  # RUNNING, the winner's seat, or LIMIT_REACHED
FLAGS = 5  # of the current turn, see below
KEY = 6  # 3 words, hidden: the key of all later luck
REPLENISHES = 9  # so far in the game: the counter of the bag's luck
BOARD = 10  # 7 words: the cells that hold each colour
BAG = 17  # lanes
POOL = 18  # scrolls in the common pool
DECK_LEFT = 19  # 3 words: cards left in each deck
DECKS = 22  # 7 words, hidden: deck orders, see DECK_WORD
SLOTS = 29  # 12 words: the pyramid, card numbers or 0
ROYALS = 41  # mask of the royals on the table
CHOSEN = 42  # slot being reserved or bought, counted as in RESERVE and BUY actions
BOUGHT = 43  # card being bought, while its payment and its abilities are resolved
TO_PAY = 44  # lanes: the payment as chosen so far, gold included
PLAYERS = 45  # two records of PLAYER_SIZE words

# Offsets in a player's record.
TOKENS = 0  # lanes
BONUSES = 1  # lanes
COLOR_POINTS = 2  # lanes: points on cards of each gem colour
POINTS = 3
CROWNS = 4
SCROLLS = 5
RESERVED = 6  # 3 words: card numbers or 0; in a View, UNKNOWN_CARD + level for what this seat may not know
BLIND = 9  # mask of the reserved places whose card only its owner knows
CARDS_LOW = 10  # mask of owned level-1 cards (bit = card - 1)
CARDS_HIGH = 11  # mask of owned level-2 and level-3 cards (bit = card - 31)
WILDS = 12  # 3 bits per wild card: 1 + the colour it joined, 0 while not owned
OWN_ROYALS = 13  # mask
TURNS = 14  # turns begun by this seat
COUNTERS = 15  # 5 words of 4 counters of 15 bits, see COUNTER_NAMES
PLAYER_SIZE = 20
STATE_SIZE = PLAYERS + 2 * PLAYER_SIZE

# Phases. A turn: MAIN (privileges, replenish, then the one mandatory action), then what that action asks for.
MAIN, CHOOSE_GOLD, CHOOSE_PAYMENT, CHOOSE_WILD, CHOOSE_MATCH = range(5)
CHOOSE_STEAL, CHOOSE_ROYAL, CHOOSE_DISCARD, OVER = range(5, 9)
PHASE_NAMES = ("main", "gold", "payment", "wild", "match", "steal", "royal", "discard", "over")

RUNNING, LIMIT_REACHED = -1, 2  # beside the seats 0 and 1

# Bits of FLAGS.
REPLENISHED, EXTRA_TURN, ROYAL_DUE = 1, 2, 4

# Deck orders: 5 bits per card (1 + its place in its level, 0 = unknown), 12 to a word; the top is the last one left.
DECK_BITS, DECK_PER_WORD, DECK_ENTRY = 5, 12, 31
DECK_WORD = (DECKS, DECKS + 3, DECKS + 5)  # first word of each level

# Counters, in lanes of 15 bits.
COUNTER_BITS = 15
COUNTER_MASK = (1 << COUNTER_BITS) - 1
COUNT_TAKES = COUNTERS
COUNT_SCROLLS = COUNTERS + 1
COUNT_RESERVES = COUNTERS + 2
COUNT_PAYMENTS = COUNTERS + 3
COUNT_ABILITIES = COUNTERS + 4
FIRST, SECOND, THIRD, FOURTH = (1 << (COUNTER_BITS * i) for i in range(4))
COUNTER_NAMES = (
    ("takes_1", "takes_2", "takes_3", "takes_penalized"),
    ("privileges_gained", "privileges_used", "privileges_lost", "replenishes"),
    ("reserves_level_1", "reserves_level_2", "reserves_level_3", "reserves_from_deck"),
    ("purchases_from_reserve", "tokens_paid", "gold_paid", "discards"),
    ("ability_again", "ability_take_matching", "ability_steal", "ability_privilege"),
)
DEFAULT_TURN_LIMIT = 400  # player turns [duel 11.3]
MAX_TURN_LIMIT = 5_000  # keeps every counter inside its lane
