// Package archivetest proves that a format keeps the contract of package archive: its
// archives are file systems, names are safe and come back as they were, edits change only
// the entries that they name, a killed writer leaves the old archive, damage leads to an
// error and never to a crash, the same input gives the same bytes, work stops when its
// context is cancelled, and limits hold.
//
// One call in the tests of a format's package runs all of it:
//
//	func TestConformance(t *testing.T) {
//		archivetest.Run(t, archivetest.Suite{Format: Format{}})
//	}
package archivetest

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pakbox/archive"
	"pakbox/fault"
)

// Suite describes a format to the tests. Most fields are only for unusual formats.
type Suite struct {
	Format archive.Format
	// Variants are the settings that archives are made with, one archive each;
	// nil means the defaults alone.
	Variants []map[string]string
	// Options hold keys and passphrases.
	Options archive.Options
	// Items go into an archive; nil means files of many kinds. A format that accepts only
	// certain names gives its own items here.
	Items []archive.Item
	// File makes an archive for a format that has no Creator.
	File func(t *testing.T) string
	// Stored returns the stored form of a name that is given to Create, "" if Create
	// refuses the name. Nil means that names are stored as they are.
	Stored func(name string) string
	// Fold states that names which differ only in letter case are the same name.
	Fold bool
	// Blind formats have no checksums, so that damage to content may go
	// unnoticed.
	Blind bool
	// Unlimited formats never unpack content, so that no entry is too large.
	Unlimited bool
	// Volatile clears the bytes of a file that differ each time the file is made.
	Volatile func(file []byte)
}

// Run runs the suite.
func Run(t *testing.T, s Suite) {
	if job := os.Getenv(killedVariable); job != "" {
		s.beKilled(t, job)
		return
	}
	if s.Items == nil && s.File == nil {
		s.Items = s.someItems()
	}
	variants := s.Variants
	if len(variants) == 0 {
		variants = []map[string]string{nil}
	}
	for i, params := range variants {
		f := &fixture{Suite: s, params: params}
		t.Run(strings.TrimPrefix(fmt.Sprint(params), "map"), func(t *testing.T) {
			t.Run("FS", f.testFS)
			t.Run("Damage", f.testDamage)
			t.Run("Context", f.testContext)
			t.Run("Limits", f.testLimits)
			if _, ok := s.Format.(archive.Creator); ok && s.File == nil {
				t.Run("Names", f.testNames)
				t.Run("Determinism", f.testDeterminism)
				t.Run("Sources", f.testSources)
				t.Run("SourcesAreClosed", f.testSourcesAreClosed)
				t.Run("UnknownSizes", f.testUnknownSizes)
				t.Run("Progress", f.testProgress)
				t.Run("FullDisk", f.testFullDisk)
				t.Run("EveryWrite", f.testEveryWrite)
			}
			if _, ok := s.Format.(archive.Creator); ok && s.File == nil && s.Options.Passphrase == nil && i == 0 { // no setting changes these
				t.Run("Words", f.testWords)
				t.Run("LongNames", f.testLongNames)
				t.Run("Params", f.testParams)
				t.Run("NoFolder", f.testNoFolder)
			}
			t.Run("Edits", f.testEdits)
			t.Run("ReadFault", f.testReadFault)
			t.Run("EveryRead", f.testEveryRead)
			t.Run("Kill", f.testKill)
		})
	}
}

// fixture is a suite with one set of settings.
type fixture struct {
	Suite
	params map[string]string
}

// someItems are files of many kinds: empty, small, compressible, incompressible, in deep
// folders.
func (s Suite) someItems() []archive.Item {
	items := []archive.Item{
		Item("readme.txt", bytes.Repeat([]byte("compressible text, "), 300)),
		Item("empty.txt", nil),
		Item("one", []byte{0}),
		Item("with space/a.dds", Noise(700)),
		Item("deep/er/and/deeper/noise.bin", Noise(70_000)),
		Item("deep/er/text.txt", bytes.Repeat([]byte("0123456789abcdef"), 20_000)),
		Item("locale/de/straße.txt", []byte("grüße")),
	}
	if root := archive.RootOf(s.Format); root.Place != "" {
		items = append(items, Item(root.Place+"/item/sword.gr2", Noise(3000)), Item(root.Folder+"/x", []byte("in a folder that only looks like the root")))
	}
	return items
}

// Item is a file in memory.
func Item(name string, content []byte) archive.Item {
	return archive.Item{
		Name: name, Size: int64(len(content)),
		Open: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(content)), nil },
	}
}

// Noise is content that no codec can compress, the same on every run.
func Noise(n int) []byte {
	b := make([]byte, n)
	rand.NewChaCha8([32]byte{byte(n)}).Read(b)
	return b
}

// stored is the name that an item has in the archive.
func (s Suite) stored(name string) string {
	if s.Stored != nil {
		return s.Stored(name)
	}
	return name
}

// path returns an unused path for an archive.
func (f *fixture) path(t *testing.T) string {
	ext := ""
	if exts := f.Format.Extensions(); len(exts) > 0 {
		ext = exts[0]
	}
	return filepath.Join(t.TempDir(), "archive"+ext)
}

func (f *fixture) options() archive.CreateOptions {
	return archive.CreateOptions{Options: f.Options, Params: f.params}
}

// create makes an archive at path.
func (f *fixture) create(ctx context.Context, path string, items []archive.Item, opts archive.CreateOptions) error {
	stage, err := archive.NewStage(path, true)
	if err != nil {
		return err
	}
	defer stage.Abort()
	if err := f.Format.(archive.Creator).Create(ctx, stage, items, opts); err != nil {
		return err
	}
	return stage.Commit()
}

// made creates an archive that holds the items, and returns its path.
func (f *fixture) made(t *testing.T) string {
	t.Helper()
	if f.File != nil {
		return f.File(t)
	}
	path := f.path(t)
	if err := f.create(t.Context(), path, f.Items, f.options()); err != nil {
		t.Fatal(err)
	}
	return path
}

// openAt opens the archive at path.
func (f *fixture) openAt(ctx context.Context, path string, opts archive.Options) (*archive.Location, error) {
	return archive.Registry{f.Format}.Enter(ctx, path, opts)
}

func (f *fixture) open(t *testing.T, path string) *archive.Location {
	t.Helper()
	p, err := f.openAt(t.Context(), path, f.Options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close() })
	return p
}

// contents reads all entries, by name. Entries that cannot be read are left out.
func contents(a archive.Archive) (map[string]string, error) {
	all := map[string]string{}
	var failure error
	for i, e := range a.Entries() {
		content, err := readEntry(a, i)
		if err != nil {
			failure = err
			continue
		}
		all[e.Name] = string(content)
	}
	return all, failure
}

func readEntry(a archive.Archive, i int) ([]byte, error) {
	f, err := a.OpenEntry(i)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	content, err := io.ReadAll(f)
	if err == nil {
		if n, again := f.Read(make([]byte, 1)); n != 0 || again != io.EOF {
			return nil, fmt.Errorf("read to its end, a file goes on with %d bytes: %w", n, again)
		}
	}
	return content, err
}

// mustRead returns the content of an intact archive.
func (f *fixture) mustRead(t *testing.T, path string) map[string]string {
	t.Helper()
	p, err := f.openAt(t.Context(), path, f.Options)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	all, err := contents(p)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// files returns the bytes of each file of the archive at path, by file name.
func files(t *testing.T, path string) map[string][]byte {
	t.Helper()
	all := map[string][]byte{}
	err := filepath.WalkDir(filepath.Dir(path), func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		all[name], err = os.ReadFile(name)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// wantKind fails the test if an error has no kind.
func wantKind(t *testing.T, what string, err error) {
	t.Helper()
	if err != nil && fault.KindOf(fault.System(err)) == "" {
		t.Errorf("%s: an error without a kind: %v", what, err)
	}
}

// within panics if the work takes more than a minute.
func within(t *testing.T, what string, work func()) {
	t.Helper()
	stuck := time.AfterFunc(time.Minute, func() { panic(t.Name() + ": " + what + " takes more than a minute") })
	defer stuck.Stop()
	work()
}
