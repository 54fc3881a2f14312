package eterpack

import (
	"errors"
	"testing"

	"pakbox/archive"
	"pakbox/fault"
	"pakbox/metin2/internal/codepage"
)

func TestStoreName(t *testing.T) {
	korean, _ := codepage.Find("949")
	for _, test := range []struct{ name, want string }{
		{"D:/Ymir Work/PC/Warrior.GR2", "d:/ymir work/pc/warrior.gr2"},
		{"Root/Game.py", "root/game.py"},
		{"locale/STRA%DFE.txt", "locale/stra\xdfe.txt"},
		{"locale/stra%dfe.txt", "locale/stra\xdfe.txt"},
		{"나무/A.prb", "\xb3\xaa\xb9\xab/a.prb"},
	} {
		if got, err := storeName(korean, test.name); err != nil || string(got) != test.want {
			t.Errorf("%q is stored as %q, %v; want %q", test.name, got, err, test.want)
		}
	}
	// A name whose CRC is the one that marks a free slot.
	if _, err := storeName(korean, "abki9136"); !errors.Is(err, fault.BadEntry) {
		t.Errorf("a name whose CRC is 0: %v", err)
	}
}

// TestCodePageNames carries names that are not UTF-8 through listing, editing
// and packing again.
func TestCodePageNames(t *testing.T) {
	const raw = "\xb0\xa1/\xb3\xaa.tga"
	s := newSample(t)
	s.add(raw, typeRaw, text(40))
	a, err := openMemory(s.eix(t), s.epk, archive.Options{})
	if err != nil {
		t.Fatal(err)
	}
	wantClean(t, a)
	if _, err := a.Stat("가/나.tga"); err != nil {
		t.Error(err)
	}
	path := create(t, archive.Items(a), archive.CreateOptions{})
	edit(t, path, archive.CreateOptions{}, put("가/나.tga", text(50)), mv("raw.txt", "%B0%A1/x"))
	again := openPath(t, path, archive.Options{})
	if got := string(again.index.records[3].name); got != raw {
		t.Errorf("stored as %q, want %q", got, raw)
	}
	if got := string(again.index.records[0].name); got != "\xb0\xa1/x" {
		t.Errorf("moved to %q", got)
	}
}

// The page that the user names wins over the one that fits.
func TestCodePageAsked(t *testing.T) {
	s := newSample(t)
	s.add("stra\xdfe.txt", typeRaw, text(40))
	for page, want := range map[string]string{"": "stra%DFe.txt", "1252": "straße.txt", "949": "stra%DFe.txt"} {
		t.Run(page, func(t *testing.T) {
			a, err := openMemory(s.eix(t), s.epk, archive.Options{CodePage: page})
			if err != nil {
				t.Fatal(err)
			}
			if got := a.Entries()[3].Name; got != want {
				t.Errorf("page %q: %q, want %q", page, got, want)
			}
		})
	}
	if _, err := openMemory(s.eix(t), s.epk, archive.Options{CodePage: "klingon"}); err == nil {
		t.Error("opened with a page that does not exist")
	}
	german := archive.CreateOptions{Options: archive.Options{CodePage: "1252"}}
	path := create(t, []archive.Item{item("straße.txt", text(9))}, german)
	if got := string(openPath(t, path, archive.Options{}).index.records[0].name); got != "stra\xdfe.txt" {
		t.Errorf("stored as %q", got)
	}
	edit(t, path, german, put("größe.txt", text(9)))
	if got := string(openPath(t, path, archive.Options{}).index.records[1].name); got != "gr\xf6\xdfe.txt" {
		t.Errorf("stored as %q", got)
	}
	stage, err := archive.NewStage(t.TempDir()+"/x.eix", false)
	if err != nil {
		t.Fatal(err)
	}
	defer stage.Abort()
	if err := (Format{}).Create(t.Context(), stage, []archive.Item{item("ä", nil)}, archive.CreateOptions{}); !errors.Is(err, fault.BadEntry) {
		t.Errorf("a name that would be read as another: %v", err)
	}
}

func TestLookupIgnoresCase(t *testing.T) {
	path := create(t, smallItems(), archive.CreateOptions{})
	a := openPath(t, path, archive.Options{})
	if _, err := a.Stat("D:/YMIR WORK/pc/Warrior.GR2"); err != nil {
		t.Error(err)
	}
}
