package pak

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"pakbox/fault"
	"pakbox/internal/testkit/corpus"
)

type realEntry struct {
	Path                  string
	Size, Stored, Slot    uint32
	Offset                uint32
	ClassID               string `json:"class_id"`
	Flags                 string
	SlotMD5               string `json:"slot_md5"`
	Encrypted, Compressed bool
	SHA256                string
}

func realPack(t testing.TB) (data []byte, entries []realEntry) {
	dir := filepath.Join(corpus.Dir(t, "nadeopak"), "real")
	var manifest struct {
		File    string
		Entries []realEntry
	}
	data, err := os.ReadFile(filepath.Join(dir, "manifest.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &manifest); err != nil {
		t.Fatal(err)
	}
	if data, err = os.ReadFile(filepath.Join(dir, manifest.File)); err != nil {
		t.Fatal(err)
	}
	return data, manifest.Entries
}

func TestRealTitlePack(t *testing.T) {
	data, want := realPack(t)
	p, err := OpenPack(bytes.NewReader(data), int64(len(data)), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Files) != len(want) || len(p.Folders) != 13 {
		t.Fatalf("%d files, %d folders", len(p.Files), len(p.Folders))
	}
	extracted := 0
	for i, w := range want {
		f := p.Files[i]
		if p.Path(i) != w.Path || f.UncompressedSize != w.Size || f.CompressedSize != w.Stored || f.Size != w.Slot ||
			f.Offset != w.Offset || uint64(f.ClassID) != hexID(t, w.ClassID, 32) || uint64(f.Flags) != hexID(t, w.Flags, 64) ||
			hex.EncodeToString(f.Checksum[:]) != w.SlotMD5 || f.Flags.Encrypted() != w.Encrypted || f.Compressed() != w.Compressed {
			t.Errorf("entry %d is %s %+v, want %+v", i, p.Path(i), f, w)
		}
		if ok, err := p.slotHolds(i); !ok {
			t.Errorf("%s: checksum does not hold: %v", w.Path, err)
		}
		content, err := p.Decode(i)
		switch {
		case w.SHA256 != "":
			if err != nil || sha(content) != w.SHA256 {
				t.Errorf("%s: %d bytes, %v", w.Path, len(content), err)
			}
			extracted++
		case fault.KindOf(err) != fault.KeyRequired:
			t.Errorf("%s: err = %v; want err of kind fault.KeyRequired", w.Path, err)
		}
	}
	if extracted != 9 {
		t.Errorf("%d entries extracted", extracted)
	}
	if ok, err := p.contentsHold(); !ok {
		t.Errorf("contents checksum does not hold: %v", err)
	}
	if got := p.CreationDate.Time().Format("2006-01-02"); got != "2020-06-13" {
		t.Errorf("created %s", got)
	}
	if fileTimeOf(p.CreationDate.Time()) != p.CreationDate {
		t.Error("creation date does not convert back")
	}
}
