"""What authors do with rulesets besides playing them: layout, comparison, coverage, mutants, new rulesets, rulebooks.  Values in, values out."""
