package main

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// Functions that every run enters do not count, and an import of a package that stands
// above is reported.
func TestWayOf(t *testing.T) {
	order := []string{"cmd/pakbox", "nadeo/maps", "nadeo", "gbx", "fault"}
	imports := map[string][]string{
		"pakbox/cmd/pakbox": {"pakbox/nadeo/maps", "pakbox/fault"},
		"pakbox/nadeo/maps": {"pakbox/gbx", "pakbox/nadeo"},
		"pakbox/gbx":        {"pakbox/nadeo/maps", "pakbox/fault"},
	}
	base := map[string]bool{"pakbox/fault/fault.go:1:New": true}
	passed := map[string]bool{
		"pakbox/fault/fault.go:1:New": true, "pakbox/cmd/pakbox/main.go:1:main": true, "pakbox/cmd/pakbox/main.go:9:run": true,
		"pakbox/nadeo/maps/map.go:1:Of": true, "pakbox/nadeo/time.go:1:Text": true, "pakbox/gbx/file.go:1:Open": true,
	}
	w := wayOf(passed, base, imports, order)
	if got, want := w.String(), "5 functions, 4 files, 4 packages, 3 rooms, 3 imports among them, 1 up"; got != want {
		t.Errorf("wayOf = %s, want %s", got, want)
	}
	if want := []string{"cmd", "gbx", "nadeo"}; !slices.Equal(w.rooms, want) {
		t.Errorf("rooms = %q, want %q", w.rooms, want)
	}
	if want := []string{"pakbox/gbx -> pakbox/nadeo/maps"}; !slices.Equal(w.up, want) {
		t.Errorf("up = %q, want %q", w.up, want)
	}
}

// The rooms are those of the page, from top to bottom.
func TestRoomsOf(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "..", "..", "docs", "architecture.md"))
	if err != nil {
		t.Fatal(err)
	}
	rooms := roomsOf(string(page))
	last := -1
	for _, room := range []string{"cmd/pakbox", "cmd/internal/cli", "cmd/internal/answer", "index", "pakbox", "nadeo", "gbx", "archive", "fault"} {
		i := slices.Index(rooms, room)
		if i <= last {
			t.Errorf("%s is room %d of %d, want one after %d", room, i, len(rooms), last)
		}
		last = i
	}
}
