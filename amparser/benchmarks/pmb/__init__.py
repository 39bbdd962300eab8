"""The Parallel Meaning Bank (Abzianidze et al. 2017): real sentences with discourse structures."""
