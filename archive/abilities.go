package archive

import (
	"context"
	"io"

	"pakbox/fact"
)

// A format can do more than [Format] asks, and an open archive more than [Archive], by
// implementing small interfaces, which are found by type assertion. These stand beside the
// work that uses them: [Creator], [Editor], [Describer], [Keyed], [Dumper], [Valuer],
// [Differ], [Grouped]. The others follow here, first those of formats, then those of
// archives. Nothing else is asked of a format.

// Rooted is a [Format] whose stored names may begin with a drive or a folder: see [RootOf].
type Rooted interface {
	Format
	Root() Root
}

// Declarer is a [Format] that declares the facts that its archives state, so that they are
// known before a file is opened: columns of an index, words of conditions.
type Declarer interface {
	Format
	Subjects() []*fact.Subject
}

// DirOpener is a [Format] that opens a folder of the file system. Only package folder
// implements it.
type DirOpener interface {
	Format
	OpenDir(path string) (Archive, error)
}

// Salvager is a [Format] that can open the readable part of a damaged file. Only package
// gbxarchive implements it.
type Salvager interface {
	Format
	// Salvage returns an archive whose facts are those that the damage does not touch. If
	// nothing is left, it returns the error of Open.
	Salvage(ctx context.Context, in Input, opts Options) (Archive, error)
}

// LockedVerifier is a [Format] that can check parts of a file without the key. Only package
// pak implements it.
type LockedVerifier interface {
	Format
	// VerifyLocked checks everything that needs no key. The report is nil if the format
	// can check nothing in this file.
	VerifyLocked(ctx context.Context, in Input, opts Options) (*Report, error)
}

// DocumentFormat is a [Format] whose files are documents: they consist of values and not
// of files. Only package gbxarchive implements it.
type DocumentFormat interface {
	Format
	// ReadDocument makes a file from the JSON that [Dumper] wrote.
	ReadDocument(document []byte) ([]byte, error)
	// RecodeParams are the settings of Recode.
	RecodeParams() []Param
	// Recode writes a file of the format in another form.
	Recode(ctx context.Context, a Archive, stage *Stage, opts CreateOptions) error
	// Fits refuses a name whose extension promises other content than that of a: for
	// example, a GBX file with a ghost is not a replay.
	Fits(a Archive, name string) error
	// FitsContent is Fits for a file that is still to be written.
	FitsContent(in Input, name string) error
}

// NameChecker is an [Archive] that can say which names of entries it cannot store, before
// it is written.
type NameChecker interface {
	CheckName(name string) error
}

// Annotated is an [Archive] whose entries have more than names and content. Only package pak
// implements it.
type Annotated interface {
	Archive
	// Annotations returns a file that keeps this in a folder and in archives of other
	// formats. Its format reads the file when it makes an archive. name is "" if the
	// content of the entries is enough.
	Annotations() (name string, data []byte, err error)
}

// CaseFolder is an [Archive] whose look-ups may ignore the case of names. Every [Tree] is
// one; an archive that is not ignores no case.
type CaseFolder interface {
	FoldsCase() bool
}

// Layered is an [Archive] of which some entries are parts of another entry. Only package
// gbxarchive implements it.
type Layered interface {
	// Outer returns the entries that are not parts of others.
	Outer() []Entry
}

// Parted is a [Dumper] whose values are divided into parts, such as the chunks of a GBX
// file. Only package gbxarchive implements it.
type Parted interface {
	// Parts returns the paths of the parts, and a function that writes the values of part i
	// as text.
	Parts() (paths []string, write func(w io.Writer, i int) error, err error)
}

// Broken is an [Archive] that can be damaged although it opens. Only package gbxarchive
// implements it.
type Broken interface {
	Archive
	// Broken returns the first damage that keeps a part of the file from being read, or nil.
	Broken() error
}
