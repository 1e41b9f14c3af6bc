"""Ricochet Robots puzzles for verifiers: the module that ``verifiers`` looks for."""

from ricochet_engine.reasoning.verifiers import RicochetTaskset

__all__ = ["RicochetTaskset"]
