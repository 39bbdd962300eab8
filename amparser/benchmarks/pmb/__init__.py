"""The Parallel Meaning Bank (Abzianidze et al. 2017): sentences with discourse structures."""
