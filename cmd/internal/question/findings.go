package question

import (
	"pakbox/fact"
	"pakbox/finding"
)

// FindingFacts are the columns of a table of findings.
var FindingFacts = []*fact.Fact{
	{Name: "file", Kind: fact.Text, Doc: "file that the finding is about"},
	{Name: "object", Kind: fact.Text, Doc: "object or entry that the finding is about"},
	{Name: "severity", Kind: fact.Text, Doc: "error, warning or note"},
	{Name: "rule", Kind: fact.ID, Doc: "name of the rule"},
	{Name: "message", Kind: fact.Text, Doc: "one sentence"},
	{Name: "suggestion", Kind: fact.Text, Doc: "what to do about it"},
}

// FindingRow returns a finding as a row of a table.
func FindingRow(f finding.Finding) fact.Record {
	return fact.Cells(FindingFacts, f.File, f.Entry, string(f.Severity), f.Rule, f.Message, f.Suggestion)
}
