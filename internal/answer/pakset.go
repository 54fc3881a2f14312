package answer

import (
	"context"

	"pakbox/fact"
	"pakbox/fault"
	"pakbox/finding"
	"pakbox/simutrans/check"
	"pakbox/simutrans/compile"
)

// Pakset is what the check of a Simutrans pakset found.
type Pakset struct {
	Paths    []string
	Objects  int
	Findings []finding.Finding
	Counts   map[finding.Severity]int // of findings
}

// CheckPakset looks for mistakes in object files, sources, and folders of
// either. The compiler reads the sources. Config may be nil.
func CheckPakset(ctx context.Context, paths []string, compiler *compile.Compiler, config *check.Config) (*Pakset, error) {
	set, err := check.Load(ctx, paths, compiler)
	if err != nil {
		return nil, err
	}
	return CheckSet(paths, set, config)
}

// CheckSet is CheckPakset of objects that are read already, from these paths.
func CheckSet(paths []string, set *check.Set, config *check.Config) (*Pakset, error) {
	p := &Pakset{Paths: paths, Objects: len(set.Objects), Findings: set.Run(config), Counts: map[finding.Severity]int{}}
	if len(set.Objects) == 0 && len(p.Findings) == 0 {
		return nil, fault.InFile(fault.New(fault.NotFormat, "there are no object files (.pak) and no sources (.dat)"), paths[0])
	}
	for _, f := range p.Findings {
		p.Counts[f.Severity]++
	}
	return p, nil
}

// From returns the findings from a severity on.
func (p *Pakset) From(least finding.Severity) []finding.Finding {
	found := []finding.Finding{}
	for _, f := range p.Findings {
		if f.Severity.Rank() <= least.Rank() {
			found = append(found, f)
		}
	}
	return found
}

// FindingFacts are the columns of a table of findings.
var FindingFacts = []*fact.Fact{
	{Name: "file", Kind: fact.Text, Doc: "file that the finding is about"},
	{Name: "object", Kind: fact.Text, Doc: "object or entry that the finding is about"},
	{Name: "severity", Kind: fact.Text, Doc: "error, warning or note"},
	{Name: "rule", Kind: fact.ID, Doc: "name of the rule"},
	{Name: "message", Kind: fact.Text, Doc: "one sentence"},
	{Name: "suggestion", Kind: fact.Text, Doc: "what to do about it"},
}

// FindingRow is a finding as a row of a table.
func FindingRow(f finding.Finding) fact.Record {
	return fact.Cells(FindingFacts, f.File, f.Entry, string(f.Severity), f.Rule, f.Message, f.Suggestion)
}

// Object is the result as JSON, with the findings from a severity on.
func (p *Pakset) Object(least finding.Severity) *Object {
	return New("simutrans.check", p.Paths[0], "simutrans").Add("paths", p.Paths).Add("objects", p.Objects).
		Add("errors", p.Counts[finding.Error]).Add("warnings", p.Counts[finding.Warning]).Add("notes", p.Counts[finding.Note]).
		Add("findings", p.From(least))
}
