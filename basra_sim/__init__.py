"""Reference simulator and strategy laboratory for Egyptian Basra (Al-Komi, Ash El Walad)."""

__version__ = "0.1.0"
