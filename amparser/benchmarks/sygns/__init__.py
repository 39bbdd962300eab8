"""SyGNS (Yanaka et al. 2021): the benchmark and its metrics."""
