package answer

import (
	"context"

	"pakbox/archive"
	"pakbox/fault"
	"pakbox/finding"
	"pakbox/internal/lib/hint"
	"pakbox/internal/source"
)

// verified is what verify says about one file.
type verified struct {
	path, format string
	*archive.Report
}

// Verify checks everything that can be checked in a file.
func Verify(ctx context.Context, o *source.Opener, file string) (*verified, error) {
	s, err := o.Open(ctx, file)
	if isLocked(err) {
		return verifyLocked(ctx, o, file, err)
	}
	if err != nil {
		return nil, err
	}
	defer s.Close()
	if !s.Whole {
		return nil, hint.Usagef("%s: only whole archives can be verified", file)
	}
	report, err := s.Verify(ctx, s.Opts)
	if err != nil {
		return nil, err
	}
	return &verified{file, s.Format(), report}, nil
}

// lockedVerifier is a format that can check some of a file without the key that
// opens it.
type lockedVerifier interface {
	// VerifyLocked checks all that needs no key. The report is nil if the
	// format can check nothing of this file.
	VerifyLocked(ctx context.Context, in archive.Input, opts archive.Options) (*archive.Report, error)
}

// verifyLocked checks what can be checked of a file that cannot be opened.
// What its directory would tell counts as one thing that was not checked.
func verifyLocked(ctx context.Context, o *source.Opener, file string, locked error) (*verified, error) {
	in, closer, format, err := detect(ctx, o, file)
	if err != nil {
		return nil, locked
	}
	defer closer.Close()
	v, ok := format.(lockedVerifier)
	if !ok {
		return nil, locked
	}
	report, err := v.VerifyLocked(ctx, in, archive.Options{Progress: o.Progress})
	if err != nil {
		return nil, err
	}
	if report == nil {
		return nil, locked
	}
	report.Fail(finding.SeverityOf(locked), locked)
	return &verified{file, format.Name(), report}, nil
}

// Object is the verdict as JSON.
func (v *verified) Object() *Object {
	return New("verify", v.path, v.format).
		Add("ok", v.OK()).
		Add("entries", v.Entries).
		Add("unchecked", v.Unchecked).
		Add("bytes", v.Bytes).
		Add("findings", append([]finding.Finding{}, v.Findings...)).
		AddFacts(v.Facts)
}

// VerifyError is the verdict as JSON on a file that cannot even be opened. If
// that is the file's own fault, it is a finding too, so that scripts need look
// in one place only.
func VerifyError(file string, err error, why *Error) *Object {
	findings := []finding.Finding{}
	switch fault.KindOf(err).Class() {
	case fault.NotFormat, fault.Corrupt, fault.Unsafe, fault.Limit:
		findings = append(findings, finding.Of(finding.Error, err))
	}
	return New("verify", file, "").Add("ok", false).Add("findings", findings).Add("error", why)
}
