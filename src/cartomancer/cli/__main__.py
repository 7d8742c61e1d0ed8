"""`python -m cartomancer.cli` is the command itself."""

from cartomancer.cli.main import main

main()
