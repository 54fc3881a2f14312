package lite_test

import (
	"slices"
	"testing"

	"pakbox/cmd/lite"
	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/nadeo"
	"pakbox/nadeo/maps"
	"pakbox/nadeo/nadeotest/mapsample"
)

// A map that was read completely is marked so; unknown parts are reported.
func TestIsPartial(t *testing.T) {
	data, err := mapsample.Map()
	if err != nil {
		t.Fatal(err)
	}
	m, err := lite.Open(data)
	if err != nil || m.IsPartial() {
		t.Fatalf("the whole map: %v", err)
	}
	if picture, err := m.Thumbnail(); err != nil || len(picture) < 4 || picture[0] != 0xFF || picture[1] != 0xD8 {
		t.Errorf("thumbnail is not a JPEG: %d bytes, %v", len(picture), err)
	}
	unread, tail := *m.File.Body, *m.File.Body
	whole := m.File.Body
	unread.Chunks = append(unread.Chunks[:len(unread.Chunks):len(unread.Chunks)], gbx.Chunk{ID: 0x03043FFF, Body: &gbx.Opaque{}})
	if m.File.Body = &unread; !m.IsPartial() {
		t.Error("an unknown chunk was not reported")
	}
	tail.Tail = &gbx.Opaque{}
	if m.File.Body = &tail; !m.IsPartial() {
		t.Error("unknown bytes were not reported")
	}
	if m.File.Body = whole; m.IsPartial() {
		t.Error("an incomplete map equals the complete one")
	}
}

// A map without a thumbnail returns an error.
func TestNoThumbnail(t *testing.T) {
	m, err := maps.New(maps.Options{Game: nadeo.Trackmania2020, Name: "new"})
	if err != nil {
		t.Fatal(err)
	}
	const thumbnail = 0x03043007
	m.File.Header.Chunks = slices.DeleteFunc(m.File.Header.Chunks, func(c gbx.HeaderChunk) bool { return c.ID == thumbnail })
	data, err := m.File.Encode()
	if err != nil {
		t.Fatal(err)
	}
	read, err := lite.Open(data)
	if err != nil {
		t.Fatal(err)
	}
	if picture, err := read.Thumbnail(); fault.KindOf(err) != fault.Unsupported || picture != nil {
		t.Errorf("%d bytes, %v", len(picture), err)
	}
	facts := read.Facts()
	for name, want := range map[string]any{"class": "03043000", "name": "new", "compressed": true} {
		if v, ok := facts.Get(name); !ok || v.Value != want {
			t.Errorf("%s is %v, want %v", name, v.Value, want)
		}
	}
}
