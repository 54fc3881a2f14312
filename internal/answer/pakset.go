package answer

import (
	"context"

	"pakbox/fault"
	"pakbox/simutrans/check"
)

// Pakset is what the check of a Simutrans pakset found.
type Pakset struct {
	Paths    []string
	Objects  int
	Findings []check.Finding
	Counts   map[check.Level]int // of findings
}

// CheckPakset looks at object files, and folders of such, for what does not fit
// together. Config may be nil.
func CheckPakset(ctx context.Context, paths []string, config *check.Config) (*Pakset, error) {
	set, err := check.Load(ctx, paths)
	if err != nil {
		return nil, err
	}
	p := &Pakset{Paths: paths, Objects: len(set.Objects), Findings: set.Run(config), Counts: map[check.Level]int{}}
	if len(set.Objects) == 0 && len(p.Findings) == 0 {
		return nil, fault.InFile(fault.New(fault.NotFormat, "there are no object files (.pak)"), paths[0])
	}
	for _, f := range p.Findings {
		p.Counts[f.Level]++
	}
	return p, nil
}

// From returns the findings from a level on.
func (p *Pakset) From(level check.Level) (found []check.Finding) {
	for _, f := range p.Findings {
		if f.Level >= max(level, check.Info) {
			found = append(found, f)
		}
	}
	return found
}

// paksetFinding is a finding in simutrans check --json.
type paksetFinding struct {
	Level string `json:"level"`
	check.Finding
}

// Object is the result as JSON, with the findings from a level on.
func (p *Pakset) Object(level check.Level) *Object {
	findings := []paksetFinding{}
	for _, f := range p.From(level) {
		findings = append(findings, paksetFinding{f.Level.String(), f})
	}
	return New("simutrans.check", p.Paths[0], "simutrans").Add("paths", p.Paths).Add("objects", p.Objects).
		Add("errors", p.Counts[check.Error]).Add("warnings", p.Counts[check.Warning]).Add("infos", p.Counts[check.Info]).
		Add("findings", findings)
}
