"""The validated shapes of content files. Titles, ranges and descriptions here are the inspector, the schema and the docs."""
