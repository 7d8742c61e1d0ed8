"""The card encounter game. So far: how contested rolls resolve, and their exact odds."""

from cartomancer.encounters.odds import ContestOdds, contest_odds

__all__ = ["ContestOdds", "contest_odds"]
