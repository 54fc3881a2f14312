package answer

import (
	"bytes"
	"context"

	"pakbox/archive"
	"pakbox/cmd/internal/question"
	"pakbox/fact"
	"pakbox/fault"
	"pakbox/finding"
)

// Verified is the answer of the command verify about a file.
type Verified struct {
	*archive.Report
	// Error is the reason if the file cannot be opened. If the file itself is at fault,
	// the error is also a finding, so that scripts look in one place.
	Error error
	// Why is Error in the form of JSON.
	Why *question.Error
}

// FileVerify is the question whether everything in a file is right.
var FileVerify = question.New(&room, "verify", "whether everything in a file is right", func(ctx context.Context, at *question.At, _ question.NoParams) (*Verified, error) {
	report, err := verify(ctx, at)
	if err != nil && fault.KindOf(err) == "" {
		return nil, err
	}
	v := &Verified{Report: report, Error: err}
	if err != nil {
		v.Why = question.ErrorOf(err)
	}
	return v, nil
})

func verify(ctx context.Context, at *question.At) (*archive.Report, error) {
	s, done, err := at.Open(ctx)
	if isLocked(err) {
		return verifyLocked(ctx, at, err)
	}
	if err != nil {
		return nil, err
	}
	defer done()
	if !s.Whole {
		return nil, fault.Usagef("%s: only whole archives can be verified", at.Path)
	}
	return s.Verify(ctx, s.Opts)
}

// verifyLocked checks the parts of a file that need no key. The unreadable directory
// counts as one thing that was not checked.
func verifyLocked(ctx context.Context, at *question.At, locked error) (*archive.Report, error) {
	in, closer, format, err := detect(ctx, at)
	if err != nil {
		return nil, locked
	}
	defer closer.Close()
	v, ok := format.(archive.LockedVerifier)
	if !ok {
		return nil, locked
	}
	report, err := v.VerifyLocked(ctx, in, archive.Options{Progress: at.Opener.Progress})
	if err != nil {
		return nil, err
	}
	if report == nil {
		return nil, locked
	}
	report.Fail(finding.SeverityOf(locked), locked)
	at.Format = format.Name()
	return report, nil
}

// Subjects lists the fields of the answer, for its schema. Formats add their own
// measurements.
func (*Verified) Subjects() []*fact.Subject {
	return []*fact.Subject{{Name: "verdict", Facts: []*fact.Fact{
		{Name: "ok", Kind: fact.Flag, Doc: "whether everything was checked and nothing is wrong"},
		{Name: "entries", Kind: fact.Count, Doc: "number of entries that were looked at"},
		{Name: "unchecked", Kind: fact.Count, Doc: "number of entries, and of parts of unknown layout, that could not be checked"},
		{Name: "uncovered", Kind: fact.Count, Doc: "number of entries whose content no checksum covers; missing if it is 0"},
		{Name: "bytes", Kind: fact.Bytes, Doc: "bytes of content that were checked"},
		{Name: "findings", Kind: fact.Object, Doc: "problems: severity, kind, message, place"},
		{Name: "error", Kind: fact.Object, Doc: "why the file cannot be opened"},
	}}}
}

// AppendFields writes the fields of the answer's JSON.
func (v *Verified) AppendFields(b *bytes.Buffer) error {
	findings := []finding.Finding{}
	if v.Error != nil {
		switch fault.KindOf(v.Error).Class() {
		case fault.NotFormat, fault.Corrupt, fault.Unsafe, fault.Limit:
			findings = append(findings, finding.Of(finding.Error, v.Error))
		}
		return fact.Record{
			fact.Make("ok", "", fact.Flag, false, ""),
			fact.Make("findings", "", fact.Object, findings, ""),
			fact.Make("error", "", fact.Object, v.Why, ""),
		}.AppendFields(b)
	}
	more := v.Facts
	if v.Uncovered > 0 {
		more = append(fact.Record{fact.Make("uncovered", "", fact.Count, v.Uncovered, "")}, more...)
	}
	return append(fact.Record{
		fact.Make("ok", "", fact.Flag, v.OK(), ""),
		fact.Make("entries", "", fact.Count, v.Entries, ""),
		fact.Make("unchecked", "", fact.Count, v.Unchecked+v.Regions, ""),
		fact.Make("bytes", "", fact.Bytes, v.Bytes, ""),
		fact.Make("findings", "", fact.Object, append(findings, v.Findings...), ""),
	}, more...).AppendFields(b)
}
