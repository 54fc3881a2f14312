package archive_test

import (
	"errors"
	"testing"

	"pakbox/archive"
	"pakbox/fault"
	"pakbox/finding"
)

// An entry that could not be read for want of a key, an algorithm or room is unchecked
// and may be right; any other failure is damage.
func TestReportFail(t *testing.T) {
	for _, test := range []struct {
		err       error
		severity  finding.Severity
		unchecked int
	}{
		{fault.New(fault.HashMismatch, "m"), finding.Error, 0},
		{errors.New("odd"), finding.Error, 0},
		{fault.New(fault.UnsupportedAlgorithm, "m"), finding.Warning, 1},
		{fault.New(fault.Limit, "m"), finding.Warning, 1},
		{fault.New(fault.Key, "m"), finding.Warning, 1},
		{fault.New(fault.WrongKey, "m"), finding.Error, 1},
	} {
		var r archive.Report
		r.Fail(finding.SeverityOf(test.err), test.err)
		if len(r.Findings) != 1 || r.Findings[0].Severity != test.severity || r.Unchecked != test.unchecked {
			t.Errorf("%v: r = %+v; want r.Findings of length 1, r.Findings[0].Severity = %v, r.Unchecked = %v", test.err, r, test.severity, test.unchecked)
		}
		if r.Damaged() != (test.severity == finding.Error) || r.OK() {
			t.Errorf("%v: damaged %v, OK %v", test.err, r.Damaged(), r.OK())
		}
	}
}

func TestReportMerge(t *testing.T) {
	whole := archive.Report{Entries: 10, Unchecked: 1, Bytes: 100}
	whole.Add(finding.Note, errors.New("first"))
	part := archive.Report{Entries: 3, Unchecked: 2, Bytes: 20}
	part.Add(finding.Warning, errors.New("second"))
	whole.Merge(&part)
	if whole.Entries != 13 || whole.Unchecked != 3 || whole.Bytes != 120 || len(whole.Findings) != 2 || whole.Findings[1].Message != "second" {
		t.Errorf(`whole = %+v; want whole.Entries = 13, whole.Unchecked = 3, whole.Bytes = 120, whole.Findings of length 2, whole.Findings[1].Message = "second"`, whole)
	}
	if (&archive.Report{Findings: whole.Findings}).OK() != true {
		t.Error("a warning is not a failure")
	}
}

func TestParams(t *testing.T) {
	params := []archive.Param{{Name: "level", Default: "5"}, {Name: "mangle", Default: "false", Bool: true}}
	opts := archive.CreateOptions{Params: map[string]string{"level": "9"}}
	if opts.Param(params, "level") != "9" || opts.Param(params, "mangle") != "false" || opts.Param(params, "other") != "" {
		t.Error("a setting is not the one given, or its default")
	}
	for value, want := range map[string]bool{"true": true, "false": false} {
		opts.Params["mangle"] = value
		if on, err := opts.Switch(params, "mangle"); on != want || err != nil {
			t.Errorf("%s: on = %v, err = %v; want on = %v, no error", value, on, err, want)
		}
	}
	opts.Params["mangle"] = "perhaps"
	_, err := opts.Switch(params, "mangle")
	var bad *archive.ParamError
	if !errors.As(err, &bad) || err.Error() != `setting mangle: "perhaps" is not true or false` {
		t.Errorf("err = %v; want err of the type of bad, err = `setting mangle: \"perhaps\" is not true or false`", err)
	}
}

func TestCheckSize(t *testing.T) {
	for _, test := range []struct {
		said, got int64
		want      error
	}{{5, 5, nil}, {-1, 5, nil}, {0, 0, nil}, {5, 4, fault.SizeMismatch}, {5, 6, fault.SizeMismatch}, {0, 1, fault.SizeMismatch}} {
		if err := (archive.Item{Name: "a", Size: test.said}).CheckSize(test.got); !errors.Is(err, test.want) {
			t.Errorf("%d bytes of %d: %v", test.got, test.said, err)
		}
	}
}
