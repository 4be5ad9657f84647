"""Results in words: verdict, findings, recommendation, reasons why classes fail."""
