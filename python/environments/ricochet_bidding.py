"""Ricochet Robots with bids between two agents, for verifiers: the module that ``verifiers`` looks for."""

from ricochet_engine.reasoning.verifiers import BiddingEnv, BiddingTaskset

__all__ = ["BiddingEnv", "BiddingTaskset"]
