// Package source finds what a path leads to: a file, a folder, an archive, or something
// inside one, with the keys and passphrases of one user. It expands patterns, and saves
// edits in nested archives from the inside out. It does not depend on the command line
// and prints nothing.
package source

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"

	"pakbox/archive"
	"pakbox/fault"
	"pakbox/internal/lib/bulk"
	"pakbox/internal/lib/busy"
	"pakbox/internal/lib/pathname"
	"pakbox/internal/lib/spool"
	"pakbox/internal/lib/stray"
)

// Opener opens paths, with the keys and passphrases of one user. Several goroutines may
// use it.
type Opener struct {
	Formats archive.Registry
	Files   archive.Files // beginning of paths; nil for the file system
	Stdin   io.Reader     // content of the path "-"
	// Keys returns the user's keys. It is called for each file that is opened.
	Keys func() (archive.Keys, error)
	// Passphrase returns the passphrase for an archive that needs one.
	Passphrase func(Request) (string, error)
	CodePage   string           // of names that are not UTF-8; "" to guess
	Progress   archive.Progress // receives the progress of reading; may be nil
	Streams    bool             // content is not kept in memory, see [archive.Options]
	// Damaged receives the damage of a file that opens all the same; may be nil.
	Damaged  func(name string, err error)
	noPrompt bool // do not ask for passphrases

	temporary *temporary
}

// Request asks for the passphrase of an archive.
type Request struct {
	Path   string // of the archive, in the user's words
	IsNew  bool   // the archive is being made, and the passphrase is new
	MayAsk bool   // the user may be asked for it
}

// NewOpener makes an opener without keys.
func NewOpener(formats archive.Registry) *Opener {
	return &Opener{Formats: formats, Stdin: strings.NewReader(""), temporary: new(temporary)}
}

// temporary holds the temporary files of an opener.
type temporary struct {
	mu   sync.Mutex
	dirs []string
	held []func()

	stdin sync.Mutex // held while standard input is read
	spool string     // path of its copy, once read
}

// TempDir makes a folder that exists until the opener is cleaned up.
func (o *Opener) TempDir() (string, error) {
	dir, release, err := stray.MkdirTemp()
	if err == nil {
		o.temporary.mu.Lock()
		defer o.temporary.mu.Unlock()
		o.temporary.dirs = append(o.temporary.dirs, dir)
		o.temporary.held = append(o.temporary.held, release)
	}
	return dir, err
}

// CleanUp removes the temporary files.
func (o *Opener) CleanUp() {
	o.temporary.mu.Lock()
	defer o.temporary.mu.Unlock()
	for _, dir := range o.temporary.dirs {
		busy.RemoveAll(dir)
	}
	for _, release := range o.temporary.held {
		release()
	}
	o.temporary.dirs, o.temporary.held = nil, nil
}

// Apart returns an opener with its own temporary files. They can be cleaned up after one
// piece of work, while o is still used.
func (o *Opener) Apart() *Opener {
	apart := *o
	apart.temporary = new(temporary)
	return &apart
}

// WithoutAsking returns an opener that asks nobody for a passphrase. Most facts about a
// file need none.
func (o *Opener) WithoutAsking() *Opener {
	quiet := *o
	quiet.noPrompt = true
	return &quiet
}

// Options returns how to open the archive at name: with the user's keys, with a
// passphrase that is requested only if needed, and with the current progress.
func (o *Opener) Options(name string) (archive.Options, error) {
	opts := archive.Options{Files: o.Files, Progress: o.Progress, CodePage: o.CodePage, Streams: o.Streams}
	if o.Passphrase != nil {
		opts.Passphrase = func() (string, error) { return o.Passphrase(Request{name, false, !o.noPrompt}) }
	}
	if o.Keys == nil {
		return opts, nil
	}
	keys, err := o.Keys()
	if keys != nil {
		opts.Keys = keys
	}
	return opts, err
}

// CreateOptions returns how to write a new archive at name.
func (o *Opener) CreateOptions(name string, params map[string]string) (archive.CreateOptions, error) {
	opts, err := o.Options(name)
	if o.Passphrase != nil {
		opts.Passphrase = func() (string, error) { return o.Passphrase(Request{name, true, !o.noPrompt}) }
	}
	return archive.CreateOptions{Options: opts, Params: params}, err
}

// Unspool replaces the path of the temporary copy of standard input in a message by "-".
func (o *Opener) Unspool(message string) string {
	if o.temporary.spool == "" {
		return message
	}
	return strings.ReplaceAll(message, o.temporary.spool, "-")
}

// Extensions returns the extensions of a format.
func (o *Opener) Extensions(format string) []string {
	if f, ok := o.Formats.ByName(format); ok {
		return f.Extensions()
	}
	return nil
}

// Input opens the bytes of a file, which may be inside an archive.
func (o *Opener) Input(ctx context.Context, file string) (archive.Input, io.Closer, error) {
	name, err := o.Resolve(ctx, file)
	if err != nil {
		return archive.Input{}, nil, err
	}
	open := archive.OpenFile
	if o.Files != nil {
		open = o.Files.OpenFile
	}
	if in, closer, err := open(name); err == nil {
		return in, closer, nil
	}
	opts, err := o.Options(file)
	if err != nil {
		return archive.Input{}, nil, err
	}
	p, err := o.Formats.Locate(ctx, name, opts)
	if err != nil {
		return archive.Input{}, nil, err
	}
	f, err := p.Open(p.Inner)
	if err != nil {
		p.Close()
		return archive.Input{}, nil, err
	}
	content := spool.New(f)
	in := archive.Input{ReaderAt: content, Name: path.Base(p.Inner)}
	info, err := f.Stat()
	switch {
	case err != nil:
	case info.IsDir():
		err = fault.InFile(fault.New(fault.NotFormat, "is a folder"), file)
	default:
		in.Size = info.Size()
	}
	if err == nil && in.Size < 0 { // the size is known only after unpacking
		in.Size, err = content.Size(ctx, opts.EntryLimit())
	}
	closer := closers{content, p}
	if err != nil {
		closer.Close()
		return archive.Input{}, nil, err
	}
	return in, closer, nil
}

// closers are closed together.
type closers []io.Closer

func (c closers) Close() (err error) {
	for _, k := range c {
		err = errors.Join(err, k.Close())
	}
	return err
}

// copyOut writes a file of an archive into a folder and returns its path.
func copyOut(ctx context.Context, a archive.Archive, name, dir string) (string, error) {
	src, err := a.Open(name)
	if err != nil {
		return "", err
	}
	defer src.Close()
	base := path.Base(name)
	if err := pathname.Check(base); err != nil {
		return "", err
	}
	dst, err := os.Create(filepath.Join(dir, base))
	if err != nil {
		return "", err
	}
	_, err = bulk.Copy(ctx, dst, src)
	return dst.Name(), errors.Join(err, dst.Close())
}

// Outermost returns the file through which a path leads. So several paths into one
// archive ask for its passphrase once.
func Outermost(name string) string {
	file, _, _, err := archive.SplitPath(nil, name)
	if err != nil {
		return name
	}
	return Slashed(file)
}

// StatOutermost describes the file through which a path leads.
func (o *Opener) StatOutermost(name string) (fs.FileInfo, error) {
	_, _, info, err := archive.SplitPath(o.Files, name)
	return info, err
}

// FolderFormat is the name of the only format that is not a file.
const FolderFormat = "folder"
