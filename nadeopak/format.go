package nadeopak

import (
	"context"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"strings"

	"pakbox/archive"
	"pakbox/fault"
)

// Format makes NadeoPak an [archive.Format]. Its keys are found in the user's
// keys file under the pack's file name without its extensions, or under "*";
// failing that, in a packlist.dat beside the pack. The keys file may also name
// a file with the LZ4 dictionary, as lz4-dictionary, and one with a list of
// paths to resolve hashed names with, as nadeopak-names.
type Format struct {
	// Nodes reads encrypted GBX entries. Nil leaves them unread.
	Nodes NodeWalker
}

var (
	_ archive.Creator   = Format{}
	_ archive.Describer = Format{}
	_ archive.Editor    = (*Archive)(nil)
)

// Name is "nadeopak".
func (Format) Name() string { return "nadeopak" }

// Description is one line for the list of formats.
func (Format) Description() string {
	return "NadeoPak: data of TrackMania and ManiaPlanet (.pak, .Pack.Gbx)"
}

// Extensions are the usual file name endings.
func (Format) Extensions() []string { return []string{".pak", ".pack.gbx"} }

// Match looks at the magic.
func (Format) Match(in archive.Input) bool { return string(in.Prefix(len(magic))) == magic }

// Open reads a pack's directory, for a registry.
func (f Format) Open(_ context.Context, in archive.Input, opts archive.Options) (archive.Archive, error) {
	return archive.Opened(f.open(in, opts))
}

// Open reads a pack's directory. GBX entries that are encrypted need a
// [NodeWalker]: see [Format].
func Open(_ context.Context, in archive.Input, opts archive.Options) (*Archive, error) {
	return Format{}.open(in, opts)
}

func (f Format) open(in archive.Input, opts archive.Options) (*Archive, error) {
	h, _, err := ReadHeader(in, in.Size)
	if err != nil {
		return nil, err
	}
	packOpts := Options{Nodes: f.Nodes}
	if packOpts.Key, err = findKey(in, h, opts.Keys); err != nil {
		return nil, err
	}
	if err := packOpts.readFiles(opts.Keys); err != nil {
		return nil, err
	}
	p, err := OpenPack(in, in.Size, packOpts)
	if err != nil {
		return nil, err
	}
	a := newArchive(p, opts)
	if p.Key != nil && p.Version >= 6 {
		_, err := findKey(in, nil, opts.Keys) // without a header only a title key is none
		a.titleKey = err != nil
	}
	return a, nil
}

// findKey looks for a pack's key; nil means that there is none. A pack that is
// yet to be written has no header.
func findKey(in archive.Input, h *Header, keys archive.Keys) (*Key, error) {
	names := keyNames(in.Name)
	if keys != nil {
		for _, name := range append(names, "*") {
			if text, ok := keys.Key(name); ok {
				key, err := ParseKey(text, h)
				if err != nil {
					return nil, fault.InEntry(err, "key of "+name)
				}
				return &key, nil
			}
		}
	}
	if in.Sibling == nil {
		return nil, nil
	}
	list, closer, err := in.Sibling("packlist.dat")
	if err != nil {
		return nil, nil // usually there is none
	}
	defer closer.Close()
	data, err := io.ReadAll(io.NewSectionReader(list, 0, min(list.Size, 64<<10)))
	if err != nil {
		return nil, err
	}
	packs, _ := ReadPacklist(data, TrackMania)
	if packs == nil {
		return nil, nil // damaged: it cannot help
	}
	for _, name := range names {
		if pack := packs.find(name); pack != nil {
			if err := pack.check(TrackMania); err != nil {
				return nil, nil // of another game, or scrambled with its name
			}
			key, err := KeyFromBase(pack.BaseKey)
			return &key, err
		}
	}
	return nil, nil
}

// keyNames are the names under which a pack's key may be found: its file name
// without one extension, without two, and so on.
func keyNames(file string) []string {
	names := []string{file}
	for {
		i := strings.LastIndexByte(file, '.')
		if i <= 0 {
			return names
		}
		file = file[:i]
		names = append(names, file)
	}
}

// readFiles reads the files that a keys file may point to.
func (o *Options) readFiles(keys archive.Keys) error {
	if keys == nil {
		return nil
	}
	if path, ok := keys.Key(DictionaryKey); ok {
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if err := CheckDictionary(data); err != nil {
			return fault.InFile(err, path)
		}
		o.Dictionary = data
	}
	if path, ok := keys.Key(namesKey); ok {
		file, err := os.Open(path)
		if err != nil {
			return err
		}
		defer file.Close()
		if o.Names, err = ReadNames(file); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	return nil
}

// Archive is a pack as an [archive.Archive].
type Archive struct {
	*archive.Tree
	pack     *Pack
	titleKey bool // the key follows from the pack's checksum
}

func newArchive(p *Pack, opts archive.Options) *Archive {
	a := &Archive{pack: p}
	entries := make([]archive.Entry, len(p.Files))
	for i := range p.Files {
		f := &p.Files[i]
		e := archive.Entry{
			Name:       p.paths[i],
			Size:       int64(f.UncompressedSize),
			StoredSize: f.StoredSize(),
			Offset:     p.start(i),
			Compressed: f.Compressed(),
			Encrypted:  f.Flags.Encrypted(),
			Method:     p.method(f),
			Problem:    p.lacks(i),
			Record:     record{p, i},
		}
		if p.Version >= 14 {
			e.Hash = "slot-md5:" + hex.EncodeToString(f.Checksum[:])
		}
		if (e.Compressed || e.Encrypted) && e.Problem == nil && e.Size > opts.EntryLimit() {
			e.Problem = fault.New(fault.Limit, "unpacks to more than %d bytes", opts.EntryLimit())
		}
		entries[i] = e
	}
	a.Tree = archive.NewTree(entries, true, func(i int) (io.ReadCloser, error) {
		r, err := a.content(i)
		if err != nil {
			return nil, err
		}
		v := vouched{r, p, i}
		if ra, ok := r.(io.ReaderAt); ok {
			return randomCloser{v, ra}, nil
		}
		return io.NopCloser(v), nil
	})
	return a
}

// content is what an entry holds, unless there is a reason not to read it.
func (a *Archive) content(i int) (io.Reader, error) {
	if e := &a.Entries()[i]; e.Problem != nil {
		return nil, fault.InEntry(e.Problem, e.Name)
	}
	return a.pack.Reader(i)
}

// vouched is the content of an entry. Whoever reads to its end learns there
// whether the entry's checksum, if it has one, vouches for what is stored. Only
// in version 18 is it known from real packs what the checksum covers.
type vouched struct {
	io.Reader
	p *Pack
	i int
}

func (v vouched) Read(b []byte) (int, error) {
	n, err := v.Reader.Read(b)
	if err == io.EOF && v.p.Version >= 18 && v.p.Files[v.i].Checksum != [16]byte{} {
		if bad := v.p.checkSlot(v.i); bad != nil {
			err = fault.InEntry(bad, v.p.paths[v.i])
		}
	}
	return n, err
}

type randomCloser struct {
	vouched
	io.ReaderAt
}

func (randomCloser) Close() error { return nil }

func (p *Pack) method(f *File) string {
	switch {
	case !f.Compressed():
		return "stored"
	case p.Version >= 18:
		return "lz4"
	}
	return "zlib"
}

// Pack gives access to all that is special about the format.
func (a *Archive) Pack() *Pack { return a.pack }

// Format is "nadeopak".
func (*Archive) Format() string { return Format{}.Name() }

func count(b bool) int {
	if b {
		return 1
	}
	return 0
}
