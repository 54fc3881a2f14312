package maps_test

import (
	"bytes"
	"context"
	"testing"

	"pakbox/archive"
	"pakbox/finding"
	"pakbox/gbx"
	"pakbox/nadeo/gbxarchive"
	"pakbox/nadeo/maps"
)

func init() { maps.Verify = verify }

func verify(t testing.TB, data []byte) *gbx.File {
	t.Helper()
	in := archive.Input{ReaderAt: bytes.NewReader(data), Size: int64(len(data)), Name: "a.Map.Gbx"}
	a, err := gbxarchive.Format{}.Open(context.Background(), in, archive.Options{})
	if err != nil {
		t.Fatal(err)
	}
	report, err := a.Verify(context.Background(), archive.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range report.Findings {
		if f.Severity == finding.Error {
			t.Errorf("verify: %s", f.Message)
		}
	}
	for _, f := range report.Facts {
		if f.Value == false {
			t.Errorf("verify: not %s", f.Name)
		}
	}
	return a.(*gbxarchive.Archive).File()
}
