// Package archive is the contract that every format of pakbox meets, and the work that is
// the same for all of them: finding a file's format by its content, walking paths that
// lead through archives, extracting without leaving the target folder, and replacing
// files atomically.
//
// A format is a value that implements [Format]. A format with more abilities implements
// more interfaces: a [Creator] writes new archives. An open archive is an [Archive], a
// read-only [fs.FS]; it may also be an [Editor]. A format that lacks an ability lacks the
// method: no method exists only to fail.
package archive

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"math"
	"strconv"
	"time"

	"pakbox/fact"
	"pakbox/fault"
)

// Format is one kind of file that pakbox can open.
type Format interface {
	// Name is the short name used in output and with --format: "vpk42".
	Name() string
	// Description is one line for the list of formats.
	Description() string
	// Extensions are the usual file name endings, lower case with the dot,
	// the main one first. They choose the format of a new file; they never
	// decide what an existing file is.
	Extensions() []string
	// Match reports whether in begins like this format. It looks at the content. The name
	// may only decide between formats whose content looks the same.
	Match(in Input) bool
	// Open reads the archive's directory. Content is read when asked for.
	Open(ctx context.Context, in Input, opts Options) (Archive, error)
}

// Creator is a [Format] that can write new archives.
type Creator interface {
	Format
	// Params are the settings that Create understands.
	Params() []Param
	// Create writes items, in the given order, into the stage. The caller
	// commits it.
	Create(ctx context.Context, stage *Stage, items []Item, opts CreateOptions) error
}

// Describer is a [Format] that can state facts about a file that it cannot open, for
// example because a key is missing.
type Describer interface {
	Format
	Describe(in Input) (fact.Record, error)
}

// Archive is an open archive. Its file system shows every entry whose name is
// a valid path; Entries lists all of them, in stored order, whatever their
// names. Archives are safe for concurrent use.
type Archive interface {
	fs.ReadDirFS
	fs.StatFS
	// Format is the name of the archive's format.
	Format() string
	// Entries lists what is stored, in stored order.
	Entries() []Entry
	// OpenEntry opens the i-th entry of Entries. This also works for an entry that the
	// file system hides behind another of the same name.
	OpenEntry(i int) (fs.File, error)
	// Root is the drive or folder that stored names may begin with; see [Root].
	Root() Root
	// PrimaryName is the base name of the file that a [Stage] must be made
	// for, if the archive is made of several files and can be opened through
	// any of them. It is "" for an archive in one file.
	PrimaryName() string
	// Facts describe the archive as a whole, most interesting first.
	Facts() fact.Record
	// Verify checks everything that can be checked and reports every finding, not only
	// the first. The error is for a check that could not run at all.
	Verify(ctx context.Context, opts Options) (*Report, error)
}

// Editor is an [Archive] that can be saved with changes.
type Editor interface {
	Archive
	// Edit writes the archive with the edits applied into the stage.
	// Untouched entries are copied as they are stored. The caller commits.
	Edit(ctx context.Context, stage *Stage, edits []Edit, opts CreateOptions) error
}

// Entry describes one stored file.
type Entry struct {
	Name       string     // slash-separated, as stored
	Size       int64      // bytes of the content; -1 if unknown before unpacking
	StoredSize int64      // bytes that the entry takes in the file
	Offset     int64      // where the stored bytes begin in the file; -1 if they have no place
	Compressed bool       //
	Encrypted  bool       //
	Method     string     // how the content is stored, in the words of the format: "lz4", "type 2"
	Hash       string     // "blake3:…", "crc32:…"; "" when none is stored
	ModTime    time.Time  // zero when none is stored
	Problem    error      // why the content cannot be read, if that is known
	Form       bool       // the content is the whole archive in another form, made on demand
	Record     EntryFacts // facts that only this format stores about the entry; may be nil
}

// EntryFacts holds what a format stores about one entry.
type EntryFacts interface{ Facts() fact.Record }

// Options say how to open and read an archive. The zero value works.
type Options struct {
	// Files is where paths begin. Nil means the file system.
	Files Files
	// Passphrase is asked at most once per archive, and only if one is
	// needed. Nil means that the user has none.
	Passphrase func() (string, error)
	// Keys holds the user's keys. Nil means no keys.
	Keys Keys
	// CodePage is the code page of names that are not UTF-8, such as "949" or "1252", in
	// formats that do not store it. "" lets the format choose a likely one.
	CodePage string
	// MaxEntrySize refuses entries that claim to unpack to more. Zero means
	// 2 GB less one byte; see [Options.EntryLimit].
	MaxEntrySize int64
	// Streams is set by callers that keep no content in memory. Content that is unpacked
	// while it is read then has no limit, unless MaxEntrySize is set.
	Streams bool
	// Workers bounds parallel work. Zero means one per core.
	Workers int
	// Progress receives the progress of long work. Nil means that nobody listens.
	Progress Progress
}

// defaultMaxEntrySize limits the content that is unpacked in memory, unless the caller
// sets another limit. No game format stores larger files: their size fields are signed
// 32-bit.
const defaultMaxEntrySize = 1<<31 - 1

// EntryLimit returns MaxEntrySize, or the default if none is set.
func (o Options) EntryLimit() int64 {
	if o.MaxEntrySize > 0 {
		return o.MaxEntrySize
	}
	return defaultMaxEntrySize
}

// StreamLimit is EntryLimit for content that is unpacked while it is read. It takes no
// memory of callers that set Streams.
func (o Options) StreamLimit() int64 {
	if o.MaxEntrySize == 0 && o.Streams {
		return math.MaxInt64
	}
	return o.EntryLimit()
}

// Param is one setting of a [Creator]. Settings of the same name mean the
// same thing in every format.
type Param struct {
	Name    string // lower case with dashes, as the command line spells it
	Usage   string
	Default string
	Bool    bool // a switch: "true" or "false"
	// Unset is a sentence shown to users who did not choose a value; "" for none.
	Unset string
}

// ParamError reports a setting with a value that a [Creator] does not accept. It is the
// caller's mistake, not a fault of any file.
type ParamError struct {
	Name  string
	Value string
	Want  string // valid values in words: "a number from 0"
}

func (e *ParamError) Error() string {
	return fmt.Sprintf("setting %s: %q is not %s", e.Name, e.Value, e.Want)
}

// Unwrap returns the error as a fault of kind [fault.Usage].
func (e *ParamError) Unwrap() error { return fault.Usagef("%s", e.Error()) }

// CreateOptions say how to write an archive. The zero value works.
type CreateOptions struct {
	Options
	// Params holds the settings given, by name; others have their defaults.
	Params map[string]string
	// Advise, if not nil, takes a sentence about a choice that readers of the archive may
	// have to know, such as the code page of the names.
	Advise func(sentence string)
}

// Param returns the setting of that name, or its default from params.
func (o CreateOptions) Param(params []Param, name string) string {
	if v, ok := o.Params[name]; ok {
		return v
	}
	for _, p := range params {
		if p.Name == name {
			return p.Default
		}
	}
	return ""
}

// Switch returns the value of a setting that is a switch.
func (o CreateOptions) Switch(params []Param, name string) (bool, error) {
	v := o.Param(params, name)
	on, err := strconv.ParseBool(v)
	if err != nil {
		return false, &ParamError{Name: name, Value: v, Want: "true or false"}
	}
	return on, nil
}

// Edit is one change to an archive: exactly one of Put, Remove and Rename.
type Edit struct {
	Put    *Item   // add or replace the entry of that name
	Remove string  // remove the entry of that name
	Rename *Rename // give an entry another name
	// RemoveMissing belongs to a Put into a [TableEditor]: the file is the complete table,
	// so records that it lacks are removed. Without it they stay.
	RemoveMissing bool
}

// Rename moves an entry, or a folder with everything in it.
type Rename struct{ From, To string }

// Progress receives the progress of long work. Its methods may be called from several
// goroutines.
type Progress interface {
	// Begin announces work on total bytes, 0 if unknown.
	Begin(total int64)
	// Advance reports that n more bytes are done.
	Advance(n int64)
}

// Begin announces work to the listener, if there is one.
func (o Options) Begin(total int64) {
	if o.Progress != nil {
		o.Progress.Begin(total)
	}
}

// BeginItems announces work on items to the listener. Items of unknown size
// count as empty.
func (o Options) BeginItems(items []Item) {
	var total int64
	for _, it := range items {
		total += max(it.Size, 0)
	}
	o.Begin(total)
}

// Advance reports progress to the listener, if there is one.
func (o Options) Advance(n int64) {
	if o.Progress != nil {
		o.Progress.Advance(n)
	}
}

// Portion reports progress within one copied entry, which may be most of an archive.
// Bytes read through the reader from of count as done. end counts the rest of the entry
// as done.
func (o Options) Portion(size int64) (of func(io.Reader) io.Reader, end func()) {
	p := &portion{o, max(size, 0)}
	return func(r io.Reader) io.Reader { return portionReader{r, p} }, func() { p.advance(p.left) }
}

type portion struct {
	opts Options
	left int64
}

func (p *portion) advance(n int64) {
	n = min(n, p.left)
	p.left -= n
	p.opts.Advance(n)
}

type portionReader struct {
	io.Reader
	*portion
}

func (r portionReader) Read(b []byte) (int, error) {
	n, err := r.Reader.Read(b)
	r.advance(int64(n))
	return n, err
}
