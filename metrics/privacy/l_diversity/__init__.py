"""l-diversity: how varied the sensitive values are within each equivalence class, in four readings."""
