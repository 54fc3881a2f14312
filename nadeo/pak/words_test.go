package pak

import (
	"bytes"
	"io"
	"testing"

	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/gbx/classid"
	"pakbox/nadeo/internal/crypt"
)

// sealWith encrypts an uncompressed GBX as a game would that has these words.
func sealWith(t *testing.T, version uint32, key Key, walker NodeWalker, content []byte, word func(classid.ID) uint32) *Pack {
	rec := crypt.NewRecorder(content)
	if _, err := walker(rec, int64(len(content)), version, func(class classid.ID) error {
		rec.Mix(word(class))
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	slot := sealed(version, key, 7, content, rec.Pages())
	file := File{Folder: -1, UncompressedSize: uint32(len(content)), CompressedSize: uint32(len(content)), Size: uint32(len(slot))}
	return single(version, file, slot, Options{Key: &key, Nodes: walker})
}

// registryWith gives the tests' layout to one more class.
func registryWith(class classid.ID) *gbx.Registry {
	chunk := func() gbx.Body { return &nodeChunk{} }
	return gbx.NewRegistry([]gbx.ClassInfo{
		{ID: nodeClass, Name: "CTestNode", Chunks: []gbx.ChunkInfo{{ID: nodeClass + 1, New: chunk}}},
		{ID: class, Name: "CTestOther", Chunks: []gbx.ChunkInfo{{ID: class + 1, New: chunk}}},
	})
}

// A class that stands below another in another game: packs of both are read.
func TestWordsOfBothGames(t *testing.T) {
	const base = 0x07001000 // CControlBase
	walker := GBXNodes(registryWith(base))
	content := newGBX(base, base, nodeClass, base, nodeClass, nodeClass).b
	for version, parents := range map[uint32][]uint32{
		18: {0x0a012000, 0x0a011000}, // CSceneToy in ManiaPlanet, CSceneMobil in TM2020
		12: {0x0a012000, 0x0a011000},
	} {
		for _, parent := range parents {
			p := sealWith(t, version, Key{3}, walker, content, func(class classid.ID) uint32 {
				if class == base {
					return parent
				}
				return 0x01001000
			})
			got, err := p.Decode(0)
			if err != nil || !bytes.Equal(got, content) {
				t.Errorf("version %d, parent %08X: %d bytes of %d, %v", version, parent, len(got), len(content), err)
			}
		}
		// One that no game has.
		p := sealWith(t, version, Key{3}, walker, content, func(class classid.ID) uint32 { return 0x05040000 })
		got, err := p.Decode(0)
		if fault.KindOf(err) == "" || !bytes.HasPrefix(content, got) {
			t.Errorf("version %d: %d bytes, %v", version, len(got), err)
		}
	}
}

// The parent of a class that the tables do not have is found by trying, where
// only one fits.
func TestWordsGuessed(t *testing.T) {
	const unknown = 0x3e005000
	walker := GBXNodes(registryWith(unknown))
	// The last but one has 650 bytes that may be any.
	w := newGBX(append(repeated(nodeClass, 33), unknown, nodeClass)...)
	seal := func(version, parent uint32) *Pack {
		return sealWith(t, version, Key{3}, walker, w.b, func(class classid.ID) uint32 {
			if class == unknown {
				return parent
			}
			return 0x01001000
		})
	}
	for _, parent := range []uint32{0x01001000, 0x07005000, 0x0902b000} {
		got, err := seal(18, parent).Decode(0)
		if err != nil || !bytes.Equal(got, w.b) {
			t.Errorf("parent %08X: %d bytes of %d, %v", parent, len(got), len(w.b), err)
		}
	}
	// Before version 12 a wrong word changes eight bytes, which may stand where
	// any bytes will do. Then the right word cannot be determined, and none is taken;
	// nor is a parent found that no class has.
	for version, parent := range map[uint32]uint32{3: 0x07005000, 18: 0x3fffffff} {
		got, err := seal(version, parent).Decode(0)
		if fault.KindOf(err) != fault.UnknownClass || !bytes.HasPrefix(w.b, got) || len(got) < 256 || len(got) == len(w.b) {
			t.Errorf("version %d: %d bytes of %d, %v", version, len(got), len(w.b), err)
		}
		// A reader of the entry gets the same beginning before the error.
		r, openErr := seal(version, parent).Reader(0)
		if openErr != nil {
			t.Fatal(openErr)
		}
		if read, readErr := io.ReadAll(r); !bytes.Equal(read, got) || fault.KindOf(readErr) != fault.UnknownClass {
			t.Errorf("version %d: %d bytes are read, %v", version, len(read), readErr)
		}
	}
}

func TestWords(t *testing.T) {
	for class, want := range map[classid.ID]uint32{
		0x07006000: 0x07001000, // CControlLabel, below CControlText, which counts as CControlBase
		0x0307a000: 0x01001000, // CGameCtnMediaClipGroup
		0x030ab000: 0x24082000, // CGameCtnMediaBlockTransitionFade, under the number its parent had before
		0x0a003000: 0x0a001000, // as real packs showed, as do the next
		0x090ed000: 0x0a02e000,
		0x24001000: 0x03013000,
	} {
		if got, err := (&words{games: gamesOf(18)[0]}).of(class); err != nil || got != want {
			t.Errorf("%v: %08X, %v, want %08X", class, got, err, want)
		}
	}
	if n := len(allWords()); n < 90 {
		t.Errorf("%d words", n)
	}
}
