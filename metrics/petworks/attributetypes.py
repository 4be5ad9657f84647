"""The four attribute types by their PETWorks names, for the `attributeTypes` of `PETValidation`."""

IDENTIFIER = "identifier"
SENSITIVE_ATTRIBUTE = "sensitive_attribute"
INSENSITIVE_ATTRIBUTE = "insensitive_attribute"
QUASI_IDENTIFIER = "quasi_identifier"
