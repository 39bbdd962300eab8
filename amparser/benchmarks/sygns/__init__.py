"""SyGNS (Yanaka et al. 2021): the benchmark with its evaluators."""
