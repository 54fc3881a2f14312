package archive

import (
	"pakbox/fact"
	"pakbox/fault"
	"pakbox/finding"
)

// Report is the outcome of verification.
type Report struct {
	Findings  []finding.Finding
	Entries   int         // what was looked at
	Unchecked int         // of these, those whose content could not be checked
	Bytes     int64       // bytes of content checked
	Facts     fact.Record // further measurements
}

// OK reports whether everything was checked and nothing is wrong.
func (r *Report) OK() bool { return r.Unchecked == 0 && !r.Damaged() }

// Damaged reports whether there is a finding of severity error.
func (r *Report) Damaged() bool { return finding.Worst(r.Findings) == finding.Error }

// Add turns err into a finding. An error that is no fault counts as damage.
func (r *Report) Add(severity finding.Severity, err error) {
	r.Findings = append(r.Findings, finding.Of(severity, err))
}

// Fail adds the error for which an entry could not be read. Where that is
// because pakbox lacks a key or an algorithm, or stops at a limit, the entry
// is unchecked, and may be right: [SeverityOf] is what most formats say then.
func (r *Report) Fail(severity finding.Severity, err error) {
	r.Add(severity, err)
	if unchecked(err) {
		r.Unchecked++
	}
}

// Merge adds what another report says about a part of the archive.
func (r *Report) Merge(part *Report) {
	r.Findings = append(r.Findings, part.Findings...)
	r.Entries += part.Entries
	r.Unchecked += part.Unchecked
	r.Bytes += part.Bytes
}

// SeverityOf tells data that is wrong from data that pakbox cannot read. A key
// that does not fit is wrong, whoever gave it.
func SeverityOf(err error) finding.Severity {
	if unchecked(err) && fault.KindOf(err) != fault.WrongKey {
		return finding.Warning
	}
	return finding.Error
}

func unchecked(err error) bool {
	switch fault.KindOf(err).Class() {
	case fault.Key, fault.Unsupported, fault.Limit:
		return true
	}
	return false
}
