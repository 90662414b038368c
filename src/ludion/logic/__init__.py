"""Logic that serves more than one game: clauses (`cnf`), proofs (`sat`), exact model counting
(`counting`)."""
