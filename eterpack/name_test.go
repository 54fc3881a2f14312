package eterpack

import (
	"bytes"
	"errors"
	"testing"
	"unicode/utf8"

	"pakbox/archive"
	"pakbox/fault"
)

func TestShowName(t *testing.T) {
	for _, test := range []struct{ raw, want string }{
		{"d:/ymir work/item/a.gr2", "d:/ymir work/item/a.gr2"},
		{"straße.txt", "straße.txt"},
		{"stra\xdfe.txt", "stra%DFe.txt"},            // Windows-1252
		{"\xb0\xa1\xb3\xaa.tga", "%B0%A1%B3%AA.tga"}, // Windows-949
		{"a\xc3\x9f\xff", "aß%FF"},
		{"100%.txt", "100%.txt"},
		{"100%25.txt", "100%2525.txt"},
		{"a%ffb", "a%25ffb"},
		{"a%41b", "a%41b"},
		{"%", "%"},
		{"%2", "%2"},
		{"", ""},
	} {
		got := showName([]byte(test.raw))
		if got != test.want {
			t.Errorf("%q is shown as %q, want %q", test.raw, got, test.want)
		}
		if back := rawName(got); string(back) != test.raw {
			t.Errorf("%q comes back as %q", test.raw, back)
		}
	}
}

func FuzzName(f *testing.F) {
	f.Add([]byte("d:/ymir work/a%25.gr2"))
	f.Add([]byte("\xb0%b0%"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		shown := showName(raw)
		if !utf8.ValidString(shown) {
			t.Fatalf("%q is shown as %q, which is not UTF-8", raw, shown)
		}
		if back := rawName(shown); !bytes.Equal(back, raw) {
			t.Fatalf("%q is shown as %q and comes back as %q", raw, shown, back)
		}
	})
}

func TestStoreName(t *testing.T) {
	for _, test := range []struct{ name, want string }{
		{"D_Ymir_Work/PC/Warrior.GR2", "d:/ymir work/pc/warrior.gr2"},
		{"D:/Ymir Work/PC/Warrior.GR2", "d:/ymir work/pc/warrior.gr2"},
		{"Root/Game.py", "root/game.py"},
		{"locale/STRA%DFE.txt", "locale/stra\xdfe.txt"},
		{"locale/stra%dfe.txt", "locale/stra\xdfe.txt"},
		{"ÄÖ.txt", "ÄÖ.txt"}, // the client lowers ASCII only
	} {
		if got, err := storeName(test.name); err != nil || string(got) != test.want {
			t.Errorf("%q is stored as %q, %v; want %q", test.name, got, err, test.want)
		}
	}
	// A name whose CRC is the one that marks a free slot.
	if _, err := storeName("abki9136"); !errors.Is(err, fault.BadEntry) {
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
	if _, err := a.Stat("%B0%A1/%B3%AA.tga"); err != nil {
		t.Error(err)
	}
	path := create(t, archive.Items(a), archive.CreateOptions{})
	edit(t, path, archive.CreateOptions{}, put("%b0%a1/%b3%aa.tga", text(50)), mv("raw.txt", "%B0%A1/x"))
	again := openPath(t, path, archive.Options{})
	if got := string(again.index.records[3].name); got != raw {
		t.Errorf("stored as %q, want %q", got, raw)
	}
	if got := string(again.index.records[0].name); got != "\xb0\xa1/x" {
		t.Errorf("moved to %q", got)
	}
}

func TestLookupIgnoresCase(t *testing.T) {
	path := create(t, smallItems(), archive.CreateOptions{})
	a := openPath(t, path, archive.Options{})
	if _, err := a.Stat("D:/YMIR WORK/pc/Warrior.GR2"); err != nil {
		t.Error(err)
	}
}
