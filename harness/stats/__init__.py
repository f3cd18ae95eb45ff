"""Statistics of games: numbers in, numbers out. Nothing here knows files, frames or bots' names."""
