"""What the project is made of that others wrote: locked versions, licences, known vulnerabilities."""
