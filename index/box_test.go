package index_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"testing"
	"time"

	"pakbox/archive"
	"pakbox/fact"
	"pakbox/fault"
	"pakbox/finding"
	"pakbox/index"
)

// boxes is a format whose archives are in the test: a file "BOX name" is the one
// of that name. So an archive can be wrong in any way.
type boxes map[string]*box

type box struct {
	open    func(in archive.Input, opts archive.Options) error
	facts   fact.Record
	entries []boxed
	verify  func(opts archive.Options) (*archive.Report, error)
}

type boxed struct {
	archive.Entry
	open func() (io.ReadCloser, error)
}

func (boxes) Name() string                { return "box" }
func (boxes) Description() string         { return "" }
func (boxes) Extensions() []string        { return nil }
func (boxes) Match(in archive.Input) bool { return string(in.Prefix(4)) == "BOX " }

func (b boxes) find(in archive.Input) *box {
	return b[strings.Fields(string(in.Prefix(int(in.Size))))[1]]
}

func (b boxes) Open(_ context.Context, in archive.Input, opts archive.Options) (archive.Archive, error) {
	x := b.find(in)
	if x.open != nil {
		if err := x.open(in, opts); err != nil {
			return nil, err
		}
	}
	var list []archive.Entry
	for _, e := range x.entries {
		list = append(list, e.Entry)
	}
	return &openBox{archive.NewTree(list, false, func(i int) (io.ReadCloser, error) { return x.entries[i].open() }), x}, nil
}

func (b boxes) Describe(in archive.Input) (fact.Record, error) {
	if x := b.find(in); x.facts != nil {
		return x.facts, nil
	}
	return nil, errors.New("the file has no facts")
}

type openBox struct {
	*archive.Tree
	box *box
}

func (openBox) Format() string       { return "box" }
func (b openBox) Facts() fact.Record { return b.box.facts }
func (b openBox) Verify(_ context.Context, opts archive.Options) (*archive.Report, error) {
	if b.box.verify == nil {
		return &archive.Report{}, nil
	}
	return b.box.verify(opts)
}

// stream is an entry that can only be read from its beginning.
func stream(name, data string) boxed {
	return boxed{archive.Entry{Name: name, Size: int64(len(data)), StoredSize: 1}, func() (io.ReadCloser, error) {
		return io.NopCloser(strings.NewReader(data)), nil
	}}
}

type readerAt struct{ *strings.Reader }

func (readerAt) Close() error { return nil }

// random is an entry that can be read anywhere.
func random(name, data string) boxed {
	return boxed{archive.Entry{Name: name, Size: int64(len(data)), StoredSize: 1}, func() (io.ReadCloser, error) {
		return readerAt{strings.NewReader(data)}, nil
	}}
}

// failing reads data and then fails.
type failing struct {
	io.Reader
	err error
}

func (f failing) Read(p []byte) (int, error) {
	n, err := f.Reader.Read(p)
	if err == io.EOF {
		err = f.err
	}
	return n, err
}

func (failing) Close() error { return nil }

// indexed gives the rows of a box without those that every file has alike.
func indexed(t *testing.T, x *index.Indexer, b boxes, content string) string {
	t.Helper()
	x.Formats = archive.Registry{b}
	rows := indexBytes(t, x, "a.box", []byte(content))
	var lines []string
	for i := range table(rows, "files") {
		setColumn(rows, "files", i, "blake3", nil)
	}
	for line := range strings.Lines(written(rows)) {
		if !strings.HasPrefix(line, "texts ") {
			lines = append(lines, line)
		}
	}
	return strings.ReplaceAll(strings.Join(lines, ""), fmt.Sprintf(" schema_version=%d", index.Version), "")
}

// The entries of an archive are listed. Entries of a known format get rows, however
// they can be read. An unreadable entry gets its error as a row, and the others follow.
func TestEntries(t *testing.T) {
	damage := fault.At(fault.HashMismatch, 0, "sum", "is another")
	full := boxed{archive.Entry{
		Name: "in/full.box", Size: 9, StoredSize: 4, Compressed: true, Encrypted: true, Method: "folded", Hash: "sum:1",
		ModTime: time.Unix(1700000000, 123456789),
	}, random("", "BOX inner").open}
	unsized := stream("unsized.box", "BOX inner and "+strings.Repeat("x", 1000))
	unsized.Size = -1
	problem, broken, late, shut := random("problem.box", "BOX inner"), stream("broken.box", ""), stream("late.box", ""), random("shut.box", "")
	problem.Problem = damage
	broken.open = func() (io.ReadCloser, error) { return failing{strings.NewReader("BOX in"), damage}, nil }
	late.open = func() (io.ReadCloser, error) {
		return failing{strings.NewReader("BOX inner " + strings.Repeat("x", 300)), damage}, nil
	}
	shut.open = func() (io.ReadCloser, error) { return nil, damage }
	inner := &box{entries: []boxed{stream("none", ""), stream("some", "abc")}}
	all := boxes{
		"inner": inner, "other": {},
		"all": {facts: fact.Record{fact.Make("version", "", fact.Count, 3, ""), fact.Make("title_id", "", fact.Text, "T", ""), fact.Make("author", "", fact.Text, "", ""), fact.Make("entries", "", fact.Count, 99, ""), fact.Make("size", "", fact.Bytes, 99, ""), fact.Make("colour", "", fact.Text, 1, "")},
			entries: []boxed{full, unsized, random("plain.txt", "hello"), random("twice.box", "BOX inner"), stream("twice.box", "BOX other"), random("../out.box", "BOX inner"), problem, random("nothing", "")}},
		"broken": {entries: []boxed{broken, shut, stream("good.box", "BOX other")}},
		"late":   {entries: []boxed{late}},
		"shut":   {entries: []boxed{shut}},
	}
	for name, want := range map[string]string{
		"BOX all": `files file=a.box path="a.box" name="a.box" size=7 kind="pack" format="box" status="ok"
files file=a.box/in/full.box path="a.box/in/full.box" parent=a.box name="full.box" size=9 mtime_ns=1700000000123456789 kind="pack" format="box" status="ok"
files file=a.box/unsized.box path="a.box/unsized.box" parent=a.box name="unsized.box" size=1014 kind="pack" format="box" status="ok"
files file=a.box/twice.box path="a.box/twice.box" parent=a.box name="twice.box" size=9 kind="pack" format="box" status="ok"
packs file=a.box format="box" entries=8 stored_size=11 version=3 title_id="T"
packs file=a.box/in/full.box format="box" entries=2 size=3 stored_size=2
packs file=a.box/unsized.box format="box" entries=2 size=3 stored_size=2
packs file=a.box/twice.box format="box" entries=0 size=0 stored_size=0
entries file=a.box entry=0 name="in/full.box" size=9 stored_size=4 compressed=true encrypted=true method="folded" hash="sum:1" modified=1700000000123
entries file=a.box entry=1 name="unsized.box" stored_size=1 compressed=false encrypted=false method="" hash=""
entries file=a.box entry=2 name="plain.txt" size=5 stored_size=1 compressed=false encrypted=false method="" hash=""
entries file=a.box entry=3 name="twice.box" size=9 stored_size=1 compressed=false encrypted=false method="" hash=""
entries file=a.box entry=4 name="twice.box" size=9 stored_size=1 compressed=false encrypted=false method="" hash=""
entries file=a.box entry=5 name="../out.box" size=9 stored_size=1 compressed=false encrypted=false method="" hash=""
entries file=a.box entry=6 name="problem.box" size=9 stored_size=1 compressed=false encrypted=false method="" hash=""
entries file=a.box entry=7 name="nothing" size=0 stored_size=1 compressed=false encrypted=false method="" hash=""
entries file=a.box/in/full.box entry=0 name="none" size=0 stored_size=1 compressed=false encrypted=false method="" hash=""
entries file=a.box/in/full.box entry=1 name="some" size=3 stored_size=1 compressed=false encrypted=false method="" hash=""
entries file=a.box/unsized.box entry=0 name="none" size=0 stored_size=1 compressed=false encrypted=false method="" hash=""
entries file=a.box/unsized.box entry=1 name="some" size=3 stored_size=1 compressed=false encrypted=false method="" hash=""
`,
		"BOX broken": `files file=a.box path="a.box" name="a.box" size=10 kind="pack" format="box" status="partial" error_kind="hash_mismatch" error_message="sum at 0x0: is another" error_entry="broken.box" error_offset=0
files file=a.box/good.box path="a.box/good.box" parent=a.box name="good.box" size=9 kind="pack" format="box" status="ok"
packs file=a.box format="box" entries=3 size=9 stored_size=3
packs file=a.box/good.box format="box" entries=0 size=0 stored_size=0
entries file=a.box entry=0 name="broken.box" size=0 stored_size=1 compressed=false encrypted=false method="" hash=""
entries file=a.box entry=1 name="shut.box" size=0 stored_size=1 compressed=false encrypted=false method="" hash=""
entries file=a.box entry=2 name="good.box" size=9 stored_size=1 compressed=false encrypted=false method="" hash=""
`,
		"BOX late": `files file=a.box path="a.box" name="a.box" size=8 kind="pack" format="box" status="partial" error_kind="hash_mismatch" error_message="sum at 0x0: is another" error_entry="late.box" error_offset=0
packs file=a.box format="box" entries=1 size=0 stored_size=1
entries file=a.box entry=0 name="late.box" size=0 stored_size=1 compressed=false encrypted=false method="" hash=""
`,
		"BOX shut": `files file=a.box path="a.box" name="a.box" size=8 kind="pack" format="box" status="partial" error_kind="hash_mismatch" error_message="sum at 0x0: is another" error_entry="shut.box" error_offset=0
packs file=a.box format="box" entries=1 size=0 stored_size=1
entries file=a.box entry=0 name="shut.box" size=0 stored_size=1 compressed=false encrypted=false method="" hash=""
`,
	} {
		t.Run(name, func(t *testing.T) { sameLines(t, indexed(t, &index.Indexer{}, all, name), want) })
	}
}

// A file that is not opened has the reason in its row, and its clear facts if only a
// key is missing.
func TestNotOpened(t *testing.T) {
	facts := fact.Record{fact.Make("author", "", fact.Text, "Ada", ""), fact.Make("version", "", fact.Count, 18, "")}
	refused := func(err error) *box {
		return &box{facts: facts, open: func(archive.Input, archive.Options) error { return err }}
	}
	silent := refused(fault.New(fault.PassphraseRequired, "needs one"))
	silent.facts = nil
	all := boxes{
		"locked": refused(fault.New(fault.KeyRequired, "needs a key")), "silent": silent,
		"damaged":     refused(fault.InEntry(fault.At(fault.Truncated, 7, "name", "is cut off"), "x.txt")),
		"unsupported": refused(fault.New(fault.UnsupportedVersion, "is new")),
		"other":       refused(errors.New("who knows")),
		"defect":      {open: func(archive.Input, archive.Options) error { panic("out of range") }},
	}
	for name, want := range map[string]string{
		"locked":      `status="locked" error_kind="key_required" error_message="needs a key"` + "\n" + `packs file=a.box format="box" entries=0 stored_size=0 version=18 author="Ada"`,
		"silent":      `status="locked" error_kind="passphrase_required" error_message="needs one"`,
		"damaged":     `status="damaged" error_kind="truncated" error_message="name at 0x7: is cut off" error_entry="x.txt" error_offset=7`,
		"unsupported": `status="unsupported" error_kind="unsupported_version" error_message="is new"`,
		"other":       `status="unsupported" error_kind="io" error_message="who knows"`,
		"defect":      `status="damaged" error_kind="defect" error_message="pakbox failed: out of range"`,
	} {
		t.Run(name, func(t *testing.T) {
			got := indexed(t, &index.Indexer{Verify: true}, all, "BOX "+name)
			_, got, _ = strings.Cut(got, ` format="box" `)
			sameLines(t, got, want+"\n")
		})
	}
	rows := indexBytes(t, &index.Indexer{Formats: archive.Registry{all}}, "x.txt", []byte("text"))
	if f := table(rows, "files")[0]; f["status"] != index.StatusUnknown || f["error_kind"] != "bad_magic" || f["format"] != nil || f["kind"] != nil || len(table(rows, "packs")) != 0 {
		t.Errorf(`f = %v; want f["status"] = index.StatusUnknown, f["error_kind"] = "bad_magic", f["format"] = nil, f["kind"] = nil, empty table(rows, "packs")`, f)
	}
}

// An archive that holds itself is entered sixteen times, and entries only as far
// as they unpack to what is allowed.
func TestLimits(t *testing.T) {
	var workers int
	long := func(n int) string { return "BOX end " + strings.Repeat("x", n-8) }
	all := boxes{
		"self": {entries: []boxed{stream("self.box", "BOX self")}},
		"end":  {open: func(_ archive.Input, o archive.Options) error { workers = o.Workers; return nil }},
		"long": {entries: []boxed{stream("fits.box", long(400)), stream("long.box", long(401))}},
	}
	x := &index.Indexer{Formats: archive.Registry{all}}
	rows := indexBytes(t, x, "a.box", []byte("BOX self"))
	all17 := table(rows, "files")
	last := all17[len(all17)-1]
	if len(all17) != 17 || last["path"] != "a.box"+strings.Repeat("/self.box", 16) || last["status"] != index.StatusPartial || last["error_kind"] != "limit_exceeded" ||
		last["error_entry"] != "self.box" || all17[15]["status"] != index.StatusOK {
		t.Errorf("%d files, the last is %v", len(all17), last)
	}
	x.Options = archive.Options{MaxEntrySize: 400, Workers: 5}
	rows = indexBytes(t, x, "a.box", []byte("BOX long"))
	whole := archive.Input{ReaderAt: strings.NewReader(long(400)), Size: 400}
	hash, err := index.HashContent(whole)
	two := table(rows, "files")
	if err != nil || len(two) != 2 || two[1]["size"] != int64(400) || !bytes.Equal(two[1]["blake3"].([]byte), hash[:]) {
		t.Errorf(`err = %v, two = %v; want no error, two of length 2, two[1]["size"] = int64(400), two[1]["blake3"].([]byte) equal to hash[:]`, err, two)
	}
	if f := two[0]; f["status"] != index.StatusPartial || f["error_kind"] != "limit_exceeded" || f["error_entry"] != "long.box" {
		t.Errorf(`f = %v; want f["status"] = index.StatusPartial, f["error_kind"] = "limit_exceeded", f["error_entry"] = "long.box"`, f)
	}
	if workers != 1 {
		t.Errorf("%d workers for a file of many", workers)
	}
	called, cancel := context.WithCancel(t.Context())
	cancel()
	in := archive.Input{ReaderAt: strings.NewReader("BOX long"), Size: 8}
	if rows, err := x.File(called, index.Source{Input: in, Path: "a.box"}); err != context.Canceled || len(table(rows, "files")) != 1 {
		t.Errorf("cancelled: %v, %s", err, written(rows))
	}
}

// An archive inside another one finds the files beside it.
func TestSiblings(t *testing.T) {
	var said []string
	all := boxes{
		"pair": {open: func(in archive.Input, _ archive.Options) error {
			for _, name := range []string{"beside.txt", "nowhere.txt"} {
				other, closer, err := in.Sibling(name)
				if err != nil {
					said = append(said, "no "+name)
					continue
				}
				closer.Close()
				said = append(said, in.Name, other.Name, string(other.Prefix(int(other.Size))))
			}
			return nil
		}},
		"all": {entries: []boxed{stream("in/one.box", "BOX pair"), stream("in/beside.txt", "hello"), stream("beside.txt", "wrong one")}},
	}
	indexed(t, &index.Indexer{}, all, "BOX all")
	if got := strings.Join(said, "; "); got != "one.box; beside.txt; hello; no nowhere.txt" {
		t.Errorf(`got = %v; want "one.box; beside.txt; hello; no nowhere.txt"`, got)
	}
}

type deaf struct{ archive.Progress }

// Findings of the verification become rows, if it is requested.
func TestVerify(t *testing.T) {
	all := boxes{
		"found": {verify: func(o archive.Options) (*archive.Report, error) {
			if o.Workers != 1 || o.Progress != nil {
				t.Errorf("o = %+v; want o.Workers = 1, o.Progress = nil", o)
			}
			r := &archive.Report{}
			r.Add(finding.Warning, fault.InEntry(fault.At(fault.Overlap, 0, "", "overlaps"), "x"))
			r.Add(finding.Error, fault.New(fault.BadHeader, "is bad"))
			return r, nil
		}},
		"failed": {verify: func(archive.Options) (*archive.Report, error) { return nil, fault.New(fault.Truncated, "ends") }},
	}
	for name, want := range map[string]string{
		"found": `findings file=a.box source="verify" severity="warning" kind="overlap" message="at 0x0: overlaps" entry="x" offset=0
findings file=a.box source="verify" severity="error" kind="bad_header" message="is bad"
`,
		"failed": `findings file=a.box source="verify" severity="error" kind="truncated" message="ends"
`,
	} {
		for _, verify := range []bool{true, false} {
			got := indexed(t, &index.Indexer{Verify: verify, Options: archive.Options{Workers: 3, Progress: deaf{}}}, all, "BOX "+name)
			_, got, _ = strings.Cut(got, "stored_size=0\n")
			if !verify && got != "" || verify && got != want {
				t.Errorf(`name = %s, verify = %v: got = %s; want (verify = true or got = ""), (verify = false or got = %s)`, name, verify, got, want)
			}
		}
	}
}

// An unreadable file has a row with the error, in the words of --json.
func TestFailed(t *testing.T) {
	mtime := int64(5)
	_, missing := os.Open(t.TempDir() + "/none")
	for _, c := range []struct {
		err           error
		kind, message string
	}{
		{missing, "not_found", "no such file or folder"},
		{&fs.PathError{Op: "open", Path: "x", Err: fs.ErrPermission}, "permission", fs.ErrPermission.Error()},
		{index.ChangedError(), "changed", "the file changed while it was read"},
		{errors.New("the disk is gone"), "io", "the disk is gone"},
		{fault.InFile(fault.New(fault.Corrupt, "is wrong"), "x"), "corrupt", "is wrong"},
	} {
		rows := index.FailureRow("a/b.vpk", index.StatusUnreadable, 7, &mtime, c.err)
		want := &index.Rows{}
		want.Add("files", map[string]any{
			"file": index.Key("a/b.vpk"), "path": "a/b.vpk", "name": "b.vpk", "size": 7, "mtime_ns": mtime, "status": "unreadable",
			"error_kind": c.kind, "error_message": c.message, "schema_version": index.Version,
		})
		sameLines(t, written(rows), written(want))
	}
}
