"""Results in words: verdict, workings step by step, worked examples."""
