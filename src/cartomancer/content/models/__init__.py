"""The validated shapes of content files; their titles, ranges and descriptions are the inspector and the schema."""
