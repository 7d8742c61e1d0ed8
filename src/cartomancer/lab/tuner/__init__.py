"""The tuner: the smallest change of content that brings a scenario's numbers into their bands [GDD 14.7]."""
