package eterpack

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pakbox/archive"
	"pakbox/fault"
)

// packMakerLite is a file of the packer's form, with what its author allows
// beyond JSON.
const packMakerLite = `{
// a comment with "quotes" and a comma,
"log_name": "http://not.a/comment", /* another, */
"pack_type_by_list": [
/*commented
["mss", 0],*/
],
"eter_pack_index_ext":".oei",
"eter_pack_data_ext":".oep",
"eter_pack_index_key": [
1,
2,
3,
4294967295 // the largest
],
"eter_pack_data_key": [5, 6, 7, 8],
"eter_magic_epkd":"IDX!",
"eter_magic_mcoz":"DATA",
"eter_magic_mcsp":"SNAP",
}
`

func TestPackMakerLite(t *testing.T) {
	keys, err := readPackMaker([]byte("\ufeff" + packMakerLite))
	want := archive.Keys{indexKeyName: "1,2,3,4294967295", dataKeyName: "5,6,7,8", indexExtName: ".oei", dataExtName: ".oep", indexMarkName: "IDX!", objectMarkName: "DATA"}
	if err != nil || len(keys) != len(want) {
		t.Fatalf("keys = %v, err = %v; want no error, keys of length len(want)", keys, err)
	}
	for name, value := range want {
		if keys[name] != value {
			t.Errorf("%s = %q, want %q", name, keys[name], value)
		}
	}
	if keys, err := readPackMaker([]byte("eterpack-index 1,2,3,4")); keys != nil || err != nil {
		t.Errorf("a keys file: %v, %v", keys, err)
	}
	if keys, err := readPackMaker([]byte(`{"eter_pack_index_key": [1, 2, 3, 4]}`)); err != nil || len(keys) != 1 {
		t.Errorf("one key: %v, %v", keys, err)
	}
	for _, bad := range []string{
		`{"eter_pack_index_key": [1, 2, 3, 4711471147114711]}`, `{"eter_magic_mcoz": "toolong"}`, `{"eter_pack_data_ext": "epk"}`,
		`{"eter_pack_data_ext": "../x"}`, `{"eter_`, `{"eter_ /*`, `{"eter_x": 1 //`,
	} {
		if _, err := readPackMaker([]byte(bad)); !errors.Is(err, fault.Key) || strings.Contains(err.Error(), "4711") {
			t.Errorf(`%s: err = %v; want err matching fault.Key, err without "4711"`, bad, err)
		}
	}
}

func FuzzPackMakerLite(f *testing.F) {
	f.Add([]byte(packMakerLite))
	f.Add([]byte(`{"eter_pack_index_key": [1,2,3,4,],}//`))
	f.Fuzz(func(t *testing.T, data []byte) {
		if keys, err := readPackMaker(data); err == nil && keys != nil {
			if _, err := newKeys(keys); err != nil {
				t.Errorf("took %v, which are not keys: %v", keys, err)
			}
		}
		if got := plainJSON(data); len(got) != len(data) {
			t.Errorf("%d bytes became %d", len(data), len(got))
		}
	})
}

// A pack of a server with its own keys, marks and extensions is made, found by
// its sizes, read, and keeps all of that when it is edited.
func TestServersOwn(t *testing.T) {
	keys, err := readPackMaker([]byte(packMakerLite))
	if err != nil {
		t.Fatal(err)
	}
	for _, form := range []string{"encrypted", "plain"} {
		opts := archive.CreateOptions{Options: archive.Options{Keys: keys}, Params: map[string]string{"eterpack-type": "2", "eterpack-index": form}}
		path := filepath.Join(t.TempDir(), "Own.OEI")
		if err := createAt(path, smallItems(), opts); err != nil {
			t.Fatal(err)
		}
		data := readFile(t, filepath.Join(filepath.Dir(path), "Own.OEP"))
		if string(data[:4]) != "DATA" {
			t.Errorf("the data begins with %q", data[:4])
		}
		edit(t, path, archive.CreateOptions{Options: opts.Options}, put("new.txt", text(700)))
		a := openPath(t, path, opts.Options)
		wantClean(t, a)
		if a.index.marks != (marks{"IDX!", "DATA"}) || len(a.Entries()) != 5 {
			t.Errorf("%s: marks %v, %d entries", form, a.index.marks, len(a.Entries()))
		}
		if got := string(readFile(t, path)[:4]); got != map[string]string{"encrypted": "DATA", "plain": "IDX!"}[form] {
			t.Errorf("%s: the index begins with %q", form, got)
		}
		in, closer, err := archive.OpenFile(path)
		if err != nil {
			t.Fatal(err)
		}
		defer closer.Close()
		if _, err := Open(t.Context(), in, archive.Options{}); form == "encrypted" && !errors.Is(err, fault.WrongKey) {
			t.Errorf("without its keys: %v", err)
		}
	}
}

// An index with nearly matching marks is rejected.
func TestMatchBySizes(t *testing.T) {
	s := newSample(t)
	s.marks = marks{"ABCD", "EFGH"}
	for _, form := range []indexForm{indexPlain, indexEncrypted} {
		s.form = form
		eix := s.eix(t)
		if !(Format{}).Match(memory(eix, s.epk)) {
			t.Errorf("%s: no match", form)
		}
		for _, other := range [][]byte{eix[:len(eix)-1], append(eix[:len(eix):len(eix)], 0), append([]byte{0, 1, 2, 3}, eix[4:]...)} {
			if (Format{}).Match(memory(other, s.epk)) {
				t.Errorf("%s: matches %.16q", form, other)
			}
		}
	}
}

// The partner is found whatever the case of its name, and edited where it is.
func TestPartnerOfAnyCase(t *testing.T) {
	path := create(t, smallItems(), archive.CreateOptions{})
	dir := filepath.Dir(path)
	index, data := filepath.Join(dir, "ETC.eix"), filepath.Join(dir, "Etc.EPK")
	for from, to := range map[string]string{path: index, withExt(path, dataExt): data} {
		t.Run(from, func(t *testing.T) {
			if err := os.Rename(from, to); err != nil {
				t.Fatal(err)
			}
		})
	}
	edit(t, index, archive.CreateOptions{}, put("new.txt", text(700)))
	edit(t, index, archive.CreateOptions{}, rm("readme.txt"))
	files, err := os.ReadDir(dir)
	if err != nil || len(files) != 2 {
		t.Errorf("files = %v, err = %v; want no error, files of length 2", files, err)
	}
	for _, name := range []string{index, data} {
		a := openPath(t, name, archive.Options{})
		wantClean(t, a)
		if len(a.Entries()) != 4 || a.PrimaryName() != "ETC.eix" {
			t.Errorf("%s: %d entries of %s", name, len(a.Entries()), a.PrimaryName())
		}
	}
}
