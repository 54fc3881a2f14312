package pak

import (
	"context"
	"encoding/hex"
	"fmt"
	"io"
	"strings"

	"pakbox/archive"
	"pakbox/fault"
	"pakbox/internal/lib/regular"
)

// Format makes NadeoPak an [archive.Format]. The key of a pack is in the user's keys
// file, under the pack's file name without its extensions or under "*"; otherwise in a
// packlist.dat beside the pack. The keys file may also name two files: lz4-dictionary
// with the LZ4 dictionary, and nadeopak-names with a list of paths that resolves hashed
// names.
type Format struct {
	// Nodes is used to read encrypted GBX entries. If it is nil, as in Format{}, they cannot
	// be read. pakbox.Formats sets it to [GBXNodes] of all engines.
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

// Match compares the magic number at the beginning.
func (Format) Match(in archive.Input) bool { return string(in.Prefix(len(magic))) == magic }

// Open reads a pack's directory, for a registry.
func (f Format) Open(_ context.Context, in archive.Input, opts archive.Options) (archive.Archive, error) {
	return archive.Opened(f.open(in, opts))
}

// Open reads a pack's directory. Encrypted GBX entries need a [NodeWalker]: see [Format].
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
		_, err := findKey(in, nil, opts.Keys) // only a title key needs the header
		a.titleKey = err != nil
	}
	return a, nil
}

// findKey finds the key of a pack; nil means that none is needed. h is nil for a pack that
// is still to be written.
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
		return nil, nil // most packs have none beside them
	}
	defer closer.Close()
	data, err := io.ReadAll(io.NewSectionReader(list, 0, min(list.Size, 64<<10)))
	if err != nil {
		return nil, err
	}
	packs, _ := ReadPacklist(data, TrackMania)
	if packs == nil {
		return nil, nil // it is damaged and cannot help
	}
	for _, name := range names {
		if pack := packs.find(name); pack != nil {
			if err := pack.check(TrackMania); err != nil {
				return nil, nil // the list is of another game, or the key is scrambled with the game's name
			}
			key, err := KeyFromBase(pack.BaseKey)
			return &key, err
		}
	}
	return nil, nil
}

// keyNames are the names under which a pack's key may be listed: its file name, without
// one extension, without two, and so on.
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

// maxKeyFile limits the size of a dictionary.
const maxKeyFile = 16 << 20

// readFiles reads the files whose paths are in a keys file.
func (o *Options) readFiles(keys archive.Keys) error {
	if keys == nil {
		return nil
	}
	if path, ok := keys.Key(DictionaryKey); ok {
		data, err := regular.Read(path, maxKeyFile)
		if err != nil {
			return err
		}
		if err := checkDictionary(data); err != nil {
			return fault.InFile(err, path)
		}
		o.Dictionary = data
	}
	if path, ok := keys.Key(namesKey); ok {
		file, err := regular.Open(path)
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
	titleKey bool // the key was derived from the pack's checksum
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

// content returns the content of an entry, or its known Problem.
func (a *Archive) content(i int) (io.Reader, error) {
	if e := &a.Entries()[i]; e.Problem != nil {
		return nil, fault.InEntry(e.Problem, e.Name)
	}
	return a.pack.Reader(i)
}

// vouched is the content of an entry. At its end, Read checks the checksum of the stored
// data, if there is one. This is done only for version 18, because only there real packs
// showed what the checksum covers.
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

// Pack returns the pack with everything that is special about the format.
func (a *Archive) Pack() *Pack { return a.pack }

// Format is "nadeopak".
func (*Archive) Format() string { return Format{}.Name() }

func count(b bool) int {
	if b {
		return 1
	}
	return 0
}
