"""Fragments of trees, whose ports take arguments."""
