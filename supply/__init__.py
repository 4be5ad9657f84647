"""Dependencies of the project: locked versions, licences and known vulnerabilities."""
