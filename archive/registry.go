package archive

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"pakbox/fact"
	"pakbox/fault"
)

// Registry is the ordered list of formats that a program knows. The first
// that matches wins, so formats with strong signatures come first.
type Registry []Format

// ByName returns the format of that name.
func (r Registry) ByName(name string) (Format, bool) {
	for _, f := range r {
		if f.Name() == name {
			return f, true
		}
	}
	if found := r.byExtension(name); len(found) == 1 {
		return found[0], true
	}
	return nil, false
}

// byExtension returns the formats with an extension, such as "vpk" or ".vpk".
func (r Registry) byExtension(ext string) (found []Format) {
	ext = "." + strings.ToLower(strings.TrimPrefix(ext, "."))
	for _, f := range r {
		if slices.Contains(f.Extensions(), ext) {
			found = append(found, f)
		}
	}
	return found
}

// ByPath returns the formats that a new file of that name may have, by its extension; the
// longest matching extension wins. There may be several, because several games use .pak
// for different formats.
func (r Registry) ByPath(path string) []Format {
	base := strings.ToLower(filepath.Base(path))
	var best []Format
	length := 1
	for _, f := range r {
		for _, ext := range f.Extensions() {
			if !strings.HasSuffix(base, ext) || len(ext) < length {
				continue
			}
			if len(ext) > length {
				best, length = nil, len(ext)
			}
			best = append(best, f)
		}
	}
	return best
}

// Subjects lists the facts that the formats declare.
func (r Registry) Subjects() (list []*fact.Subject) {
	for _, f := range r {
		if d, ok := f.(Declarer); ok {
			list = append(list, d.Subjects()...)
		}
	}
	return list
}

// Detect finds the format of in by its content.
func (r Registry) Detect(in Input) (Format, error) {
	if err := in.CheckPointer(); err != nil {
		return nil, fault.InFile(err, in.Name)
	}
	for _, f := range r {
		if f.Match(in) {
			return f, nil
		}
	}
	return nil, fault.InFile(unknownFormat(in.Prefix(16)), in.Name)
}

// Open detects the format of in and opens it.
func (r Registry) Open(ctx context.Context, in Input, opts Options) (Archive, error) {
	f, err := r.Detect(in)
	if err != nil {
		return nil, err
	}
	a, err := f.Open(ctx, in, opts)
	if err != nil {
		return nil, fault.InFile(err, in.Name)
	}
	return a, nil
}

// Salvage opens the readable part of a damaged file, if its format has a method for that. The
// Place closes closer.
func (r Registry) Salvage(ctx context.Context, name string, in Input, closer io.Closer, opts Options) (*Location, error) {
	f, err := r.Detect(in)
	p := &Location{Path: name, File: name, Inner: ".", closers: []io.Closer{closer}}
	if s, ok := f.(Salvager); ok {
		p.Archive, err = s.Salvage(ctx, in, opts)
	} else if err == nil {
		err = fault.New(fault.Unsupported, "recovering damaged %s files is not supported", f.Name())
	}
	if err != nil {
		p.Close()
		return nil, fault.InFile(err, name)
	}
	return p, nil
}

// Opened turns the result of a format's own Open into an [Archive]. A nil pointer with an
// error becomes a nil Archive, not an Archive that holds a nil pointer.
func Opened[A Archive](a A, err error) (Archive, error) {
	if err != nil {
		return nil, err
	}
	return a, nil
}

// unknownFormat states what the bytes look like, if that helps. People often name a file of
// another program with the same extension.
func unknownFormat(prefix []byte) *fault.Error {
	if len(prefix) == 0 {
		return fault.At(fault.NotFormat, 0, "magic", "the file is empty")
	}
	hint := ""
	for _, known := range []struct{ magic, what string }{
		{"\x34\x12\xaa\x55", "a Valve VPK (Source engine), which shares only the extension with 42pak's"},
		{"Rar!", "a RAR archive: unpack it first"},
		{"7z\xbc\xaf\x27\x1c", "a 7-Zip archive: unpack it first"},
		{"\x1f\x8b", "a gzip file: unpack it first"},
		{"\x28\xb5\x2f\xfd", "a Zstandard file: unpack it first"},
		{"\xfd7zXZ", "an xz file: unpack it first"},
		{"BZh", "a bzip2 file: unpack it first"},
		{"RIFF", "a WebP picture or a sound"},
		{"<", "XML or HTML: if a site gave it to you instead of a file, open it in a browser"},
		{"MCOZ", "the data of an EterPack (.epk), whose index (.eix) is not beside it"},
		{"%PDF", "a PDF document"},
		{"\x89PNG", "a PNG picture"},
		{"\xff\xd8\xff", "a JPEG picture"},
		{"DDS ", "a DDS texture"},
		{"MZ", "a Windows program"},
		{"\x7fELF", "a Linux program"},
	} {
		if strings.HasPrefix(string(prefix), known.magic) {
			hint = fmt.Sprintf("; it looks like %s", known.what)
		}
	}
	return fault.At(fault.NotFormat, 0, "magic", "no known format begins with % x%s", prefix[:min(len(prefix), 4)], hint)
}
