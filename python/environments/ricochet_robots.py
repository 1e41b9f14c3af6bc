"""Ricochet Robots puzzles for verifiers: the module that ``verifiers`` looks for."""

from ricochet_engine.reasoning.verifiers import RicochetEnv, RicochetTaskset

__all__ = ["RicochetEnv", "RicochetTaskset"]
