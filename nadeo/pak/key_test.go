package pak

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pakbox/fault"
	"pakbox/internal/testkit/corpus"
)

func TestParseKey(t *testing.T) {
	base, err := ParseKey(strings.Repeat("00", 16), nil)
	if err != nil || hex.EncodeToString(base[:]) != "8b444bb6b6c82669ebf5df37add72cdd" {
		t.Errorf("base key: %x, %v", base, err)
	}
	final, err := ParseKey("final:8B444BB6B6C82669EBF5DF37ADD72CDD", nil)
	if err != nil || final != base {
		t.Errorf("final key: %x, %v", final, err)
	}
	h := &Header{Version: 18}
	for i := range h.ContentsChecksum {
		h.ContentsChecksum[i] = byte(i)
	}
	title, err := ParseKey("title:000102030405060708090A0B0C0D0E0F", h)
	// By hand: byte i is 15-i xor i, byte 8+i is 7-i xor 16+i.
	if want := "0f0f0f0f0f0f0f0f1717171717171717"; err != nil || hex.EncodeToString(title[:]) != want {
		t.Errorf("title key: %x, %v, want %s", title, err, want)
	}
	for _, bad := range []string{"", "12", strings.Repeat("0", 33), strings.Repeat("g", 32), "final:", "title:" + strings.Repeat("0", 31)} {
		if _, err := ParseKey(bad, h); fault.KindOf(err).Class() != fault.Key {
			t.Errorf("%q: err = %v; want fault.KindOf(err).Class() = fault.Key", bad, err)
		} else if len(bad) > 10 && strings.Contains(err.Error(), bad) {
			t.Errorf("the message quotes the key: %v", err)
		}
	}
}

// The flags of a pack say with which keys its header is encrypted: the pack's own, the one
// that every game knows, both mixed, or none. Before version 6 it is the pack's own.
func TestHeaderKey(t *testing.T) {
	own := Key{0x0f, 15: 0xf0}
	for _, test := range []struct {
		version uint32
		flags   DecryptFlags
		want    string
		private bool
	}{
		{18, 0, "00000000000000000000000000000000", false},
		{18, IsDataPrivate | IsImpostor, "00000000000000000000000000000000", false},
		{18, IsHeaderPrivate, "0f0000000000000000000000000000f0", true},
		{6, UseDefaultHeaderKey, "56eecbbbdeb6bc90a17dfceb761d59ce", false},
		{6, UseDefaultHeaderKey | IsHeaderPrivate, "59eecbbbdeb6bc90a17dfceb761d593e", true},
		{5, UseDefaultHeaderKey, "0f0000000000000000000000000000f0", true},
		{3, 0, "0f0000000000000000000000000000f0", true},
	} {
		h := Header{Version: test.version, DecryptFlags: test.flags}
		key := h.headerKey(own)
		if got := hex.EncodeToString(key[:]); got != test.want || h.headerNeedsKey() != test.private {
			t.Errorf("version %d, flags %v: %s, needs the key: %v; want %s", test.version, test.flags.Names(), got, h.headerNeedsKey(), test.want)
		}
	}
}

func TestGoldenPacklist(t *testing.T) {
	dir := corpus.Dir(t, "nadeopak")
	var manifest struct {
		Packlist struct {
			File    string
			Salt    uint32
			Entries [][2]string
		}
	}
	data, err := os.ReadFile(filepath.Join(dir, "manifest.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &manifest); err != nil {
		t.Fatal(err)
	}
	if data, err = os.ReadFile(filepath.Join(dir, manifest.Packlist.File)); err != nil {
		t.Fatal(err)
	}
	l, err := ReadPacklist(data, TrackMania)
	if err != nil {
		t.Fatal(err)
	}
	if l.Salt != manifest.Packlist.Salt || len(l.Packs) != len(manifest.Packlist.Entries) {
		t.Fatalf("salt %d, %d packs", l.Salt, len(l.Packs))
	}
	for i, want := range manifest.Packlist.Entries {
		if l.Packs[i].Name != want[0] || l.Packs[i].BaseKey != want[1] {
			t.Errorf("pack %d is %+v, want %v", i, l.Packs[i], want)
		}
		if key, ok := l.BaseKey(strings.ToUpper(want[0])); !ok || key != want[1] {
			t.Errorf("%s not found", want[0])
		}
	}
	again, err := l.Append(nil, TrackMania)
	if err != nil || !bytes.Equal(again, data) {
		t.Errorf("written again it differs: %v", err)
	}
}

func testPacklist(t testing.TB, product Product) (*Packlist, []byte) {
	l := &Packlist{Version: 1, Product: ProductID("TmForever"), Salt: 4000000000}
	for i, name := range []string{"Stadium", "island", "a name of thirty-one characters"} {
		if err := l.Set(name, strings.Repeat(string("0aF"[i]), 32)); err != nil {
			t.Fatal(err)
		}
	}
	if product.Name != "" {
		l.Packs[1].Flags = productKey
	}
	data, err := l.Append(nil, product)
	if err != nil {
		t.Fatal(err)
	}
	return l, data
}

func TestPacklistDamage(t *testing.T) {
	_, data := testPacklist(t, TrackMania)
	if _, err := ReadPacklist(data, TrackMania); err != nil {
		t.Fatal(err)
	}
	for i := range data {
		if _, err := ReadPacklist(data[:i], TrackMania); fault.KindOf(err).Class() != fault.Corrupt {
			t.Fatalf("cut at %d: %v", i, err)
		}
		flipped := bytes.Clone(data)
		flipped[i] ^= 0x10
		if _, err := ReadPacklist(flipped, TrackMania); fault.KindOf(err) == "" {
			t.Fatalf("bit flipped at %d: %v", i, err)
		}
	}
	if _, err := ReadPacklist(append(data, 0), TrackMania); fault.KindOf(err) != fault.TrailingData {
		t.Errorf("trailing byte: %v", err)
	}
	if _, err := ReadPacklist(data, VirtualSkipper5); fault.KindOf(err) != fault.WrongKey {
		t.Errorf("read as another product's: %v", err)
	}
}

func TestPacklistOfProduct(t *testing.T) {
	product := TrackMania
	product.Name = "TmForever"
	want, data := testPacklist(t, product)
	l, err := ReadPacklist(data, product)
	if err != nil || l.Packs[1] != want.Packs[1] {
		t.Fatalf("l = %+v, err = %v; want no error, l.Packs[1] = want.Packs[1]", l, err)
	}
	if _, err := ReadPacklist(data, TrackMania); fault.KindOf(err) != fault.KeyRequired {
		t.Errorf("without the product's name: %v", err)
	}
}

func FuzzPacklist(f *testing.F) {
	_, data := testPacklist(f, TrackMania)
	f.Add(data)
	f.Add([]byte{1, 0, 0, 0, 0, 0, 0, 0, 0, 0})
	f.Fuzz(func(t *testing.T, data []byte) {
		// Sign what the fuzzer made, or it would never get past the signature.
		if len(data) > 26 {
			data = bytes.Clone(data)
			salt := binary.LittleEndian.Uint32(data[6:])
			copy(data[len(data)-16:], TrackMania.sign(data[:len(data)-16], salt))
		}
		l, err := ReadPacklist(data, TrackMania)
		if err != nil {
			if fault.KindOf(err) == "" {
				t.Fatalf(`err = %v; want err of a kind other than none`, err)
			}
			return
		}
		again, err := l.Append(nil, TrackMania)
		if err != nil || !bytes.Equal(again, data) {
			t.Fatalf("written again it differs: %v", err)
		}
	})
}

func TestHashedNames(t *testing.T) {
	names := Names{}
	names.Add(`Media/Texture/Image\Grass.dds`)
	hash := HashName(`image\GRASS.dds`)
	if len(hash) != 34 || hash[:2] != "F0" { // 15 characters, low digit first
		t.Errorf("hash %s", hash)
	}
	if got, ok := names.Resolve(hash); !ok || got != `Image\Grass.dds` {
		t.Errorf("resolved to %q, %v", got, ok)
	}
	if _, ok := names.Resolve(HashName("grass.png")); ok {
		t.Error("a name was found that is not in the list")
	}
	// A list that claims a wrong name for a hash is not believed.
	read, err := ReadNames(strings.NewReader("# comment\n\n" + hash + " Something/else.txt\n" + "plain.txt\n"))
	if err != nil {
		t.Fatal(err)
	}
	if got, ok := read.Resolve(hash); ok {
		t.Errorf("a wrong name was believed: %q", got)
	}
	if got, ok := read.Resolve(HashName("PLAIN.TXT")); !ok || got != "plain.txt" {
		t.Errorf(`got = %q, ok = %v; want ok = true, got = "plain.txt"`, got, ok)
	}
}

func TestFindDictionary(t *testing.T) {
	dict := append([]byte("DDS "), bytes.Repeat([]byte{1, 2, 3}, 400)...)[:dictionarySize]
	program := append([]byte("MZ DDS and DDS again"), dict...)
	program = append(program, "rest"...)
	got, err := findDictionary(program, sha(dict))
	if err != nil || !bytes.Equal(got, dict) {
		t.Errorf("%d bytes, %v", len(got), err)
	}
	if _, err := FindDictionary(program); fault.KindOf(err) != fault.Key {
		t.Errorf("another dictionary was taken: %v", err)
	}
	if err := checkDictionary(dict); fault.KindOf(err) != fault.Key {
		t.Errorf("another dictionary was accepted: %v", err)
	}
}
