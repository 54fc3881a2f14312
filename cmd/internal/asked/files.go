package asked

import (
	"os"
	"path/filepath"
	"testing"

	"pakbox/gbx"
	"pakbox/nadeo/nadeotest/mapsample"
	"pakbox/nadeo/nadeotest/runsample"
)

// Files writes small files of all kinds that questions are about to a new folder.
func Files(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	write := func(name string, data []byte, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	m, err := mapsample.Map()
	write("a.Map.Gbx", m, err)
	write("cut.Map.Gbx", m[:len(m)/2], nil)
	write("text.txt", []byte("no game made this\n"), nil)
	write("player/Skins/stadium/mod/SNOW.zip", []byte("zip"), nil)
	item, err := mapsample.Item("Tree")
	write("tree.Item.Gbx", item, err)

	run := runsample.Straight(2900)
	other := runsample.Straight(3100)
	other.Login, other.Nick, other.NickTail = "blue", "$00fBlue", ""
	other.Splits = []gbx.Time{1400, 3100}
	drivenMap, err := run.NamedMap("$0f0Driven")
	write("runs/driven.Map.Gbx", drivenMap, err)
	data, err := run.Ghost().Encode()
	write("runs/red.Ghost.Gbx", data, err)
	data, err = other.Ghost().Encode()
	write("runs/blue.Ghost.Gbx", data, err)
	data, err = run.Replay(drivenMap).Encode()
	write("runs/red.Replay.Gbx", data, err)
	write("runs/notes.txt", []byte("fast"), nil)
	still := runsample.Straight(2900).Ghost() // without a recorded line and inputs
	keep := still.Body.Chunks[:0]
	for _, c := range still.Body.Chunks {
		if c.ID != 0x0303F003 && c.ID != 0x0303F004 && c.ID != 0x03092019 {
			keep = append(keep, c)
		}
	}
	still.Body.Chunks = keep
	data, err = still.Encode()
	write("still.Ghost.Gbx", data, err)
	return dir
}
