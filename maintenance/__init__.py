"""What is made from the sources: environment locks, licences, audit, the architecture picture and tables of metrics."""
