"""What the bots of Splendor Duel share: one compiled evaluation of positions, steered by a vector of weights."""
