"""Vectors of words from outside train, which an encoder sees beside what it learns of each word."""
