package cli

import (
	"context"
	"pakbox/archive"
	"pakbox/fault"
)

// verified is what verify says about one file.
type verified struct {
	path, format string
	*archive.Report
}

// verify checks everything that can be checked in a file.
func verify(ctx context.Context, o *opener, file string) (*verified, error) {
	s, err := o.open(ctx, file)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	if !s.whole {
		return nil, usagef("%s: only whole archives can be verified", file)
	}
	report, err := s.Verify(ctx, s.opts)
	if err != nil {
		return nil, err
	}
	return &verified{file, s.Format(), report}, nil
}

// object is the verdict as JSON.
func (v *verified) object() *object {
	return newObject("verify", v.path, v.format).
		add("ok", v.OK()).
		add("entries", v.Entries).
		add("bytes", v.Bytes).
		add("findings", findingObjects(v.Findings)).
		addFacts(v.Facts)
}

// verifyError is the verdict as JSON on a file that cannot even be opened. If
// that is the file's own fault, it is a finding too, so that scripts need look
// in one place only.
func verifyError(file string, err error, why *errorJSON) *object {
	findings := []archive.Finding{}
	switch fault.KindOf(err).Class() {
	case fault.NotFormat, fault.Corrupt, fault.Unsafe, fault.Limit:
		findings = append(findings, archive.NewFinding(archive.SeverityError, err))
	}
	return newObject("verify", file, "").add("ok", false).add("findings", findingObjects(findings)).add("error", why)
}
