package pak

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"pakbox/archive"
	"pakbox/fact"
	"pakbox/fault"
)

// factsOf are facts by name.
func factsOf(list fact.Record) map[string]any {
	all := map[string]any{}
	for _, f := range list {
		all[f.Name] = f.Value
	}
	return all
}

// The facts have every value of the clear header, and no others.
func TestHeaderFacts(t *testing.T) {
	when := time.Date(2013, 5, 6, 7, 8, 9, 0, time.UTC)
	h := &Header{
		Version: 18, ContentsChecksum: [32]byte{0xab, 31: 0xcd}, DecryptFlags: IsDataPrivate | UseDefaultHeaderKey,
		Author: AuthorInfo{Login: "login", Nick: "\ufeffnick", Zone: "\ufeffWorld|Zone"}, ManialinkURL: "manialink", DownloadURL: "download",
		CreationDate: fileTimeOf(when), Comment: "comment", XML: "<xml/>", TitleID: "TMStadium", UsageSubDir: "Titles",
		CreationBuildInfo: "build", AuthorURL: "address", HeaderMaxSize: 0x4000,
		IncludedPacks: []IncludedPack{{Name: "one", SecondName: "1", ContentsChecksum: [32]byte{1}, CreationDate: fileTimeOf(when), InfoManialinkURL: "link", NestingLevel: 2,
			Author: AuthorInfo{Login: "me", Nick: "I", Zone: "World", Extra: "more"}}, {Name: "two"}},
	}
	want := map[string]any{
		"version": int64(18), "title_id": "TMStadium", "author_login": "login", "author_nick": "nick", "author_zone": "World|Zone",
		"created": "2013-05-06T07:08:09Z", "comment": "comment", "usage_sub_dir": "Titles", "build": "build", "manialink_url": "manialink",
		"download_url": "download", "author_url": "address", "xml": "<xml/>", "decrypt_flags": []string{"UseDefaultHeaderKey", "IsDataPrivate"},
		"contents_sha256": "ab" + strings.Repeat("00", 30) + "cd", "included_packs": []string{"one", "two"}, "header_max_size": int64(0x4000),
	}
	got := factsOf(headerFacts.Of(h))
	included, _ := got["included_records"].([]fact.Record)
	delete(got, "included_records")
	if text, err := json.Marshal(included); err != nil || len(included) != 2 || !strings.HasPrefix(string(text), `[{"name":"one","second_name":"1","contents_sha256":"01`+strings.Repeat("00", 31)+
		`","author_login":"me","author_nick":"I","author_zone":"World","author_extra":"more","manialink_url":"link","created":"2013-05-06T07:08:09Z","nesting_level":2},{"name":"two",`) {
		t.Errorf("text = %s, err = %v", text, err)
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	bare := &Header{Version: 6}
	want = map[string]any{"version": int64(6), "decrypt_flags": []string(nil), "contents_sha256": strings.Repeat("00", 32)}
	if got := factsOf(headerFacts.Of(bare)); !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	for _, f := range headerFacts.Of(bare) {
		if f.Name == "decrypt_flags" && f.Text() != "none" {
			t.Errorf("decrypt_flags of a pack without encryption = %q, want none", f.Text())
		}
	}
	if got := factsOf(headerFacts.Of(&Header{Version: 3})); !reflect.DeepEqual(got, map[string]any{"version": int64(3)}) {
		t.Errorf("version 3: %v", got)
	}
}

// The entries are counted by what is done to them.
func TestPackFacts(t *testing.T) {
	a := create(t, map[string][]byte{"one/a.txt": bytes.Repeat([]byte("a"), 900), "b.bin": noise(900), "empty": nil}, map[string]string{"encrypt": "true"})
	got := factsOf(a.Facts())
	for name, want := range map[string]any{
		"entries": int64(3), "folders": int64(1), "encrypted_entries": int64(2), "compressed_entries": int64(1), "unresolved_names": int64(0), "metadata_section": false, "version": int64(18),
	} {
		if got[name] != want {
			t.Errorf("%s: %v, want %v", name, got[name], want)
		}
	}
	hashed := openBytes(t, hashedPack(t), testKeys)
	if got := factsOf(hashed.Facts()); got["unresolved_names"] != int64(len(hashed.Entries())) {
		t.Errorf("%d names, of which %v are unresolved", len(hashed.Entries()), got["unresolved_names"])
	}
}

// FILETIME counts from 1601: the Unix epoch is 116444736000000000.
func TestFileTime(t *testing.T) {
	for want, when := range map[FileTime]time.Time{
		116444736000000000:     time.Unix(0, 0),
		116444736000000000 + 1: time.Unix(0, 100),
		133484544001234567:     time.Date(2023, 12, 31, 0, 0, 0, 123456700, time.UTC),
		0:                      {},
	} {
		if got := fileTimeOf(when); got != want {
			t.Errorf("%v is %d, want %d", when, got, want)
		}
		if got := want.Time(); !got.Equal(when) {
			t.Errorf("%d is %v, want %v", want, got, when)
		}
	}
}

// A file named in a keys file must exist and have the expected format.
func TestKeysThatAreFiles(t *testing.T) {
	data := bytesOf(create(t, map[string][]byte{"a": {1}}, nil))
	dir := t.TempDir()
	path := func(name, content string) string {
		name = filepath.Join(dir, name)
		if err := os.WriteFile(name, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
		return name
	}
	missing := filepath.Join(dir, "missing")
	for _, test := range []struct {
		keys archive.Keys
		want error
		says string
	}{
		{archive.Keys{DictionaryKey: missing}, os.ErrNotExist, missing},
		{archive.Keys{DictionaryKey: path("other.bin", "no dictionary")}, fault.Key, "other.bin"},
		{archive.Keys{namesKey: missing}, os.ErrNotExist, missing},
		{archive.Keys{namesKey: path("long.txt", strings.Repeat("x", 1<<17))}, nil, "long.txt: bufio.Scanner: token too long"},
		{archive.Keys{"*": "0123"}, fault.Key, "key of *"},
	} {
		_, err := Open(t.Context(), archive.Input{ReaderAt: bytes.NewReader(data), Size: int64(len(data)), Name: "x.pak"}, archive.Options{Keys: test.keys})
		if err == nil || test.want != nil && !errors.Is(err, test.want) || !strings.Contains(err.Error(), test.says) {
			t.Errorf("%v: err = %v; want an error %v with the text %q", test.keys, err, test.want, test.says)
		}
	}
}

// A list that cannot be written is refused, and what is in it is found.
func TestPacklistLimits(t *testing.T) {
	key := strings.Repeat("0a", 16)
	full := &Packlist{Packs: make([]ListedPack, 255)}
	for i := range full.Packs {
		full.Packs[i] = ListedPack{Name: strings.Repeat("n", maxPackName), BaseKey: key}
	}
	data, err := full.Append([]byte("before"), TrackMania)
	if err != nil || !bytes.HasPrefix(data, []byte("before")) {
		t.Fatalf("255 packs: %v", err)
	}
	if l, err := ReadPacklist(data[len("before"):], TrackMania); err != nil || len(l.Packs) != 255 || l.Packs[254] != full.Packs[254] {
		t.Errorf("255 packs: %v", err)
	}
	for want, l := range map[error]*Packlist{
		fault.Limit:       {Packs: make([]ListedPack, 256)},
		fault.NameTooLong: {Packs: []ListedPack{{Name: strings.Repeat("n", maxPackName+1), BaseKey: key}}},
		fault.Key:         {Packs: []ListedPack{{Name: "n", BaseKey: key[1:]}}},
	} {
		if data, err := l.Append(nil, TrackMania); !errors.Is(err, want) || data != nil {
			t.Errorf("%d bytes, %v, want %v", len(data), err, want)
		}
	}
	l := &Packlist{}
	if err := l.Set("Stadium", "short"); !errors.Is(err, fault.Key) || len(l.Packs) > 0 {
		t.Errorf("Set with an invalid key: %v, want a key fault", err)
	}
	if err := errors.Join(l.Set("Stadium", key), l.Set("STADIUM", strings.Repeat("0b", 16))); err != nil {
		t.Fatal(err)
	}
	if got, ok := l.BaseKey("stadium"); !ok || got != strings.Repeat("0B", 16) || len(l.Packs) != 1 {
		t.Errorf("%q, %v of %d", got, ok, len(l.Packs))
	}
	if got, ok := l.BaseKey("island"); ok || got != "" {
		t.Errorf("a pack that is not listed: %q, %v", got, ok)
	}
	// By another program (zlib's crc32).
	if got := ProductID("TmForever"); got != 0x687bd8c3 {
		t.Errorf("got = %08x; want 0x687bd8c3", got)
	}
}
