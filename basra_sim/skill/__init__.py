"""What strategies share: counting, the exact last deal, value tables."""
