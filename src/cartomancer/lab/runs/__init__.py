"""Batches: jobs cut into chunks, played by any backend, stored as Parquet, asked in SQL."""
