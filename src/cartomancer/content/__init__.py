"""Content: TOML files, validated into frozen models, with every fault reported at once."""

from cartomancer.content.presets import find_preset, load_preset, preset_ids, preset_model, preset_schema

__all__ = ["find_preset", "load_preset", "preset_ids", "preset_model", "preset_schema"]
