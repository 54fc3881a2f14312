package lint_test

import (
	"testing"

	"pakbox/finding"
	"pakbox/nadeo"
	"pakbox/nadeo/lint"
	"pakbox/nadeo/maps"
)

// New maps of all games have no mistakes.
func TestNewMaps(t *testing.T) {
	for _, g := range []nadeo.Generation{nadeo.Forever, nadeo.ManiaPlanet4, nadeo.Trackmania2020} {
		m, err := maps.New(maps.Options{Game: g})
		do(t, err)
		for _, f := range lint.Map(again(t, m), 1000) {
			if f.Severity != finding.Note {
				t.Errorf("%s: f.Rule = %s: f.Message = %s; want f.Severity = finding.Note", g, f.Rule, f.Message)
			}
		}
	}
}
