package archive

import (
	"pakbox/fact"
	"pakbox/finding"
)

// Report is the outcome of verification.
type Report struct {
	Findings  []finding.Finding
	Entries   int         // entries that were checked
	Unchecked int         // entries whose content could not be checked
	Regions   int         // parts of the file whose layout is not known
	Uncovered int         // entries without a checksum: any content would pass
	Bytes     int64       // bytes of content checked
	Facts     fact.Record // further measurements
}

// OK reports whether everything was checked and nothing is wrong.
func (r *Report) OK() bool { return r.Unchecked+r.Regions == 0 && !r.Damaged() }

// Damaged reports whether there is a finding of severity error.
func (r *Report) Damaged() bool { return finding.Worst(r.Findings) == finding.Error }

// Add turns err into a finding. An error that is not a fault counts as damage.
func (r *Report) Add(severity finding.Severity, err error) {
	r.Findings = append(r.Findings, finding.Of(severity, err))
}

// Fail adds the error of an entry that could not be read. If pakbox lacks a key or an
// algorithm, or stops at a limit, the entry may be right, and counts as unchecked. Most
// formats use the severity [finding.SeverityOf] the error.
func (r *Report) Fail(severity finding.Severity, err error) {
	r.Add(severity, err)
	if finding.Unknown(err) {
		r.Unchecked++
	}
}

// Merge adds another report about a part of the archive.
func (r *Report) Merge(part *Report) {
	r.Findings = append(r.Findings, part.Findings...)
	r.Entries += part.Entries
	r.Unchecked += part.Unchecked
	r.Regions += part.Regions
	r.Uncovered += part.Uncovered
	r.Bytes += part.Bytes
}
