"""Tests of what strategies share; the judge lies beside them."""
