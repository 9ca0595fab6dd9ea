"""The verbs of the shuffle lab: `basra-sim shuffle ...`."""
