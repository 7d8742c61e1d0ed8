"""Reports: momentum, cards and keywords of a batch, its notable runs, one offline page."""
