package lite_test

import (
	"testing"

	"pakbox/cmd/lite"
	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/internal/testkit/corpus"
	"pakbox/nadeo/gbxarchive"
	"pakbox/nadeo/maps"
)

// The facts and the thumbnail of every map of the corpora equal those that the complete
// pakbox reads.
func TestFacts(t *testing.T) {
	read := 0
	for path, data := range corpus.GBX(t, "03043000", "03093000") {
		f, err := gbx.Parse(data, engine.Registry())
		if err != nil {
			continue
		}
		m, err := lite.Open(data)
		whole, no := maps.Of(f)
		if no != nil {
			if fault.KindOf(err) != fault.KindOf(no) {
				t.Errorf("%s is not a map: %v", path, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		read++
		want, _ := gbxarchive.FactsOf(f).MarshalJSON()
		if got, _ := m.Facts().MarshalJSON(); string(got) != string(want) {
			t.Errorf("%s: %s\nwant\n%s", path, got, want)
		}
		want, _ = whole.Thumbnail(maps.ThumbnailForm{})
		if got, _ := m.Thumbnail(); string(got) != string(want) {
			t.Errorf("%s: the thumbnail differs", path)
		}
	}
	if read < 100 {
		t.Errorf("only %d maps were read", read)
	}
}

func TestRefuses(t *testing.T) {
	for _, data := range []string{"", "GBX", "no map"} {
		if _, err := lite.Open([]byte(data)); fault.KindOf(err) == "" {
			t.Errorf(`%q: err = %v; want err of a kind other than none`, data, err)
		}
	}
}
