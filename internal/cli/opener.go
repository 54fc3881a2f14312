package cli

import (
	"context"
	"errors"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"

	"pakbox/archive"
)

// opener opens what paths lead to, with the keys and passphrases of the person
// whom it works for. It may be used by several goroutines at a time.
type opener struct {
	formats archive.Registry
	stdin   io.Reader // what the path "-" leads to
	// keys returns the person's keys. It is called for each file that is opened.
	keys func() (archive.Keys, error)
	// passphrase returns the passphrase for an archive that needs one.
	passphrase func(request) (string, error)
	progress   archive.Progress // told how far reading is, if it is not nil
	noPrompt   bool             // do without passphrases that nobody gave yet

	temporary *temporary
}

// request asks for the passphrase of an archive.
type request struct {
	path   string // of the archive, as the user knows it
	isNew  bool   // the archive is being made, and the passphrase chosen
	mayAsk bool   // a person may be asked for it
}

// newOpener returns an opener of files that need no keys.
func newOpener(formats archive.Registry) *opener {
	return &opener{formats: formats, stdin: strings.NewReader(""), temporary: new(temporary)}
}

// temporary is what an opener keeps outside memory.
type temporary struct {
	mu   sync.Mutex
	dirs []string

	stdin sync.Mutex // held while standard input is read
	spool string     // the file that holds it, once read
}

// tempDir makes a folder that lives until the opener is cleaned up.
func (o *opener) tempDir() (string, error) {
	dir, err := os.MkdirTemp("", "pakbox-")
	if err == nil {
		o.temporary.mu.Lock()
		defer o.temporary.mu.Unlock()
		o.temporary.dirs = append(o.temporary.dirs, dir)
	}
	return dir, err
}

// cleanUp removes what opening left in temporary places.
func (o *opener) cleanUp() {
	o.temporary.mu.Lock()
	defer o.temporary.mu.Unlock()
	for _, dir := range o.temporary.dirs {
		os.RemoveAll(dir)
	}
	o.temporary.dirs = nil
}

// withoutAsking returns an opener that asks nobody for a passphrase: most of
// what a file says can be had without.
func (o *opener) withoutAsking() *opener {
	quiet := *o
	quiet.noPrompt = true
	return &quiet
}

// options say how to open the archive at name: with the user's keys, with a
// passphrase that is asked for only if it is needed, and with the progress of
// what is being watched.
func (o *opener) options(name string) (archive.Options, error) {
	opts := archive.Options{Progress: o.progress}
	if o.passphrase != nil {
		opts.Passphrase = func() (string, error) { return o.passphrase(request{name, false, !o.noPrompt}) }
	}
	if o.keys == nil {
		return opts, nil
	}
	keys, err := o.keys()
	if keys != nil {
		opts.Keys = keys
	}
	return opts, err
}

// createOptions say how to write a new archive at name.
func (o *opener) createOptions(name string, params map[string]string) (archive.CreateOptions, error) {
	opts, err := o.options(name)
	if o.passphrase != nil {
		opts.Passphrase = func() (string, error) { return o.passphrase(request{name, true, !o.noPrompt}) }
	}
	return archive.CreateOptions{Options: opts, Params: params}, err
}

// unspool gives standard input its own name back in a message.
func (o *opener) unspool(message string) string {
	if o.temporary.spool == "" {
		return message
	}
	return strings.ReplaceAll(message, o.temporary.spool, "-")
}

// extensions are those of a format.
func (o *opener) extensions(format string) []string {
	if f, ok := o.formats.ByName(format); ok {
		return f.Extensions()
	}
	return nil
}

// input gives the bytes of a file, which may be inside an archive.
func (o *opener) input(ctx context.Context, file string) (archive.Input, io.Closer, error) {
	name, err := o.resolve(ctx, file)
	if err != nil {
		return archive.Input{}, nil, err
	}
	if in, closer, err := archive.OpenFile(name); err == nil {
		return in, closer, nil
	}
	opts, err := o.options(file)
	if err != nil {
		return archive.Input{}, nil, err
	}
	p, err := o.formats.Locate(ctx, name, opts)
	if err != nil {
		return archive.Input{}, nil, err
	}
	defer p.Close()
	dir, err := o.tempDir()
	if err != nil {
		return archive.Input{}, nil, err
	}
	copied, err := copyOut(p.Archive, p.Inner, dir)
	if err != nil {
		return archive.Input{}, nil, err
	}
	return archive.OpenFile(copied)
}

// copyOut writes a file of an archive into a folder and returns its path.
func copyOut(a archive.Archive, name, dir string) (string, error) {
	src, err := a.Open(name)
	if err != nil {
		return "", err
	}
	defer src.Close()
	base := path.Base(name)
	if err := archive.CheckName(base); err != nil {
		return "", err
	}
	dst, err := os.Create(filepath.Join(dir, base))
	if err != nil {
		return "", err
	}
	_, err = io.Copy(dst, src)
	return dst.Name(), errors.Join(err, dst.Close())
}

// outermost is the file that a path goes through, so that several paths into
// one archive ask for its passphrase once.
func outermost(name string) string {
	for file := slashed(name); file != "." && file != "/"; file = path.Dir(file) {
		if info, err := os.Stat(filepath.FromSlash(file)); err == nil && !info.IsDir() {
			return file
		}
	}
	return name
}

// folderFormat is the name of the one format that is no file.
const folderFormat = "folder"
