"""SafePub: what sampling and classes of k records would prove."""
