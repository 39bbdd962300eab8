"""Constants of one node each: AM dependency trees of the papers."""
