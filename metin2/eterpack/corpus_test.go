package eterpack

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"

	"pakbox/archive"
	"pakbox/internal/testkit/corpus"
	"pakbox/metin2/internal/xtea"
)

// manifest states what the packs of the corpus hold.
type manifest struct {
	Packs []struct {
		Pack    string
		Options struct {
			IndexEncrypted bool `json:"index_encrypted"`
			Codec          string
		}
		Entries []struct {
			Name   string
			Type   int8
			Size   int64
			SHA256 string
		}
	}
}

func readManifest(t *testing.T) (string, manifest) {
	t.Helper()
	dir := corpus.Dir(t, "eterpack")
	data, err := os.ReadFile(filepath.Join(dir, "manifest.json"))
	if err != nil {
		t.Fatal(err)
	}
	var m manifest
	if err := json.Unmarshal(data, &m); err != nil {
		t.Fatal(err)
	}
	return dir, m
}

// openPath opens the pack through one of its files.
func openPath(t testing.TB, path string, opts archive.Options) *Archive {
	t.Helper()
	in, closer, err := archive.OpenFile(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { closer.Close() })
	if !(Format{}).Match(in) {
		t.Fatalf("%s does not match", path)
	}
	a, err := Format{}.Open(context.Background(), in, opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { a.(*Archive).Close() })
	return a.(*Archive)
}

func mustVerify(t testing.TB, a *Archive) *archive.Report {
	t.Helper()
	report, err := a.Verify(context.Background(), archive.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return report
}

func wantClean(t testing.TB, a *Archive) {
	t.Helper()
	for _, f := range mustVerify(t, a).Findings {
		t.Errorf("finding: %s %s: %s: %s", f.Severity, f.Rule, f.Entry, f.Message)
	}
}

func readEntry(t testing.TB, a archive.Archive, i int) []byte {
	t.Helper()
	f, err := a.OpenEntry(i)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	b, err := io.ReadAll(f)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestCorpus(t *testing.T) {
	dir, m := readManifest(t)
	if len(m.Packs) == 0 {
		t.Fatal("the manifest lists no packs")
	}
	for _, p := range m.Packs {
		for _, ext := range []string{indexExt, dataExt} {
			t.Run(p.Pack+ext, func(t *testing.T) {
				a := openPath(t, filepath.Join(dir, p.Pack+ext), archive.Options{})
				if got := a.PrimaryName(); got != p.Pack+indexExt {
					t.Errorf("PrimaryName = %q", got)
				}
				wantClean(t, a)
				entries := a.Entries()
				if len(entries) != len(p.Entries) {
					t.Fatalf("%d entries, want %d", len(entries), len(p.Entries))
				}
				var names []string
				for i, want := range p.Entries {
					e := entries[i]
					names = append(names, e.Name)
					if e.Name != want.Name || e.Size != want.Size || e.Method != method(want.Type) {
						t.Errorf("entry %d is %q, %d bytes, %s; want %q, %d, type %d", i, e.Name, e.Size, e.Method, want.Name, want.Size, want.Type)
					}
					sum := sha256.Sum256(readEntry(t, a, i))
					if got := hex.EncodeToString(sum[:]); got != want.SHA256 {
						t.Errorf("%s: sha256 %s, want %s", e.Name, got, want.SHA256)
					}
				}
				if err := fstest.TestFS(a, names...); err != nil {
					t.Error(err)
				}
			})
		}
	}
}

// TestSealCorpus takes every crypted object of the corpus apart and puts it
// together again around the same stream: the same bytes, encryption and all.
func TestSealCorpus(t *testing.T) {
	dir, m := readManifest(t)
	ciphers, _ := newKeys(nil)
	check := func(what string, object []byte, key *xtea.Cipher) {
		t.Helper()
		h, err := readObjectHeader(object, 0)
		if err != nil {
			t.Fatal(err)
		}
		body := bytes.Clone(object[objectHeaderSize:])
		if h.encryptSize == 0 {
			key = nil
		} else {
			key.Decrypt(body[:h.encryptSize], body[:h.encryptSize])
		}
		stream := body[innerMagicSize:][:h.compressedSize]
		if got := seal(append(make([]byte, streamStart), stream...), int(h.realSize), h.mark, key); !bytes.Equal(got, object) {
			t.Errorf("%s: the object comes out different", what)
		}
	}
	objects := 0
	for _, p := range m.Packs {
		path := filepath.Join(dir, p.Pack+indexExt)
		if p.Options.IndexEncrypted {
			check(path, readFile(t, path), ciphers.index)
			objects++
		}
		a := openPath(t, path, archive.Options{})
		for i := range a.index.records {
			r := &a.index.records[i]
			if r.kind == typeRaw {
				continue
			}
			blob := make([]byte, r.dataSize)
			if _, err := a.epk.ReadAt(blob, int64(r.position)); err != nil && err != io.EOF {
				t.Fatalf("err = %v; want no error or err = io.EOF", err)
			}
			check(p.Pack+": "+string(r.name), blob, ciphers.data)
			objects++
		}
	}
	if objects == 0 {
		t.Error("no crypted object in the corpus")
	}
	t.Logf("%d objects identical", objects)
}
