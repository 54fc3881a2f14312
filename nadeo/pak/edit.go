package pak

import (
	"context"
	"io"
	"path"
	"slices"
	"strconv"
	"strings"

	"pakbox/archive"
	"pakbox/fault"
)

// Params are the settings of new packs, and of new entries in old ones.
func (Format) Params() []archive.Param {
	return []archive.Param{
		{Name: "version", Usage: "version of the format: 3 (TrackMania) or 18 (ManiaPlanet 4)", Default: "18"},
		{Name: "encrypt", Usage: "encrypt new entries; version 3 does unless this is false", Default: "auto", Bool: true},
		{Name: "compress", Usage: "compress entries that become smaller", Default: "true", Bool: true},
		{Name: "clear-gbx", Usage: "store a GBX unencrypted where its nodes are not all understood, instead of refusing it", Default: "false", Bool: true},
		{Name: "private-header", Usage: "encrypt the table with the pack's own key (version 18)", Default: "false", Bool: true},
		{Name: "title-id", Usage: "title the pack belongs to (version 18)"},
		{Name: "author", Usage: "author's login (version 18)"},
		{Name: "comment", Usage: "comment (version 18)"},
		{Name: "usage-sub-dir", Usage: "what the pack is used for (version 18)"},
		{Name: "author-nick", Usage: "author's nickname, with colour codes (version 18)"},
		{Name: "author-zone", Usage: "author's zone: World|Europe|... (version 18)"},
		{Name: "author-extra", Usage: "last text about the author (version 18)"},
		{Name: "manialink-url", Usage: "manialink of the pack (version 18)"},
		{Name: "download-url", Usage: "address to download the pack (version 18)"},
		{Name: "xml", Usage: "XML text of the header (version 18)"},
		{Name: "build", Usage: "program that makes the pack, as its header states it (version 18)", Default: "pakbox"},
		{Name: "created", Usage: "date that the pack states, such as 2026-11-19; without it that of the newest file (version 18)"},
	}
}

// settings say how new entries are stored.
type settings struct {
	encrypt  string // "auto", "true" or "false"
	compress bool
	clearGBX bool
}

func newSettings(opts archive.CreateOptions) (s settings, err error) {
	params := Format{}.Params()
	if s.compress, err = opts.Switch(params, "compress"); err != nil {
		return s, err
	}
	if s.clearGBX, err = opts.Switch(params, "clear-gbx"); err != nil {
		return s, err
	}
	if s.encrypt = opts.Param(params, "encrypt"); s.encrypt != "auto" {
		on, err := opts.Switch(params, "encrypt")
		s.encrypt = strconv.FormatBool(on)
		return s, err
	}
	return s, nil
}

// Create writes a new pack.
func (f Format) Create(ctx context.Context, stage *archive.Stage, items []archive.Item, opts archive.CreateOptions) error {
	param := func(name string) string { return opts.Param(f.Params(), name) }
	set, err := newSettings(opts)
	if err != nil {
		return err
	}
	private, err := opts.Switch(f.Params(), "private-header")
	if err != nil {
		return err
	}
	b := &build{opts: opts.Options}
	switch param("version") {
	case "3":
		b.Header.Version = 3
	case "18":
		b.Header = Header{
			Version:      18,
			DecryptFlags: UseDefaultHeaderKey | IsDataPrivate,
		}
		if err := b.setHeader(items, param); err != nil {
			return err
		}
		b.Directory.Flags = 4 // as in every real pack
		if private {
			b.DecryptFlags |= IsHeaderPrivate
		}
	default:
		return &archive.ParamError{Name: "version", Value: param("version"), Want: "3 or 18, which are the versions that can be made"}
	}
	b.encoder = encoder{version: b.Version, nodes: f.Nodes, clear: set.clearGBX}
	flags := set.newFlags(b.Version)
	b.key, err = findKey(archive.Input{Name: path.Base(slashed(stage.Path()))}, nil, opts.Keys)
	if err != nil && (b.headerNeedsKey() || flags.Encrypted()) {
		return err
	}
	if b.headerNeedsKey() && b.key == nil {
		return fault.New(fault.KeyRequired, "a pack with an encrypted table needs a key: none is known for %s", path.Base(slashed(stage.Path())))
	}
	items, annotated, err := takeAnnotations(ctx, items)
	if err != nil {
		return err
	}
	if err := archive.CheckNew(items, archive.Root{}, nil); err != nil {
		return err
	}
	folders := newFolderIndex(&b.Directory)
	for _, item := range items {
		folder, name := folders.place(item.Name)
		b.Files = append(b.Files, File{Folder: folder, Name: name, MetaOffset: noMetadata, ClassID: classOfItem(item), Flags: flags})
		meta := annotated[strings.ToLower(item.Name)]
		if meta == nil {
			if meta, err = carriedOf(item); err != nil {
				return err
			}
		}
		b.origins = append(b.origins, origin{-1, item, meta})
	}
	b.iv = newIV(&b.Header, &b.Directory)
	return b.writeTo(ctx, stage)
}

// setHeader sets the facts of the header from the settings of a new pack.
func (b *build) setHeader(items []archive.Item, param func(name string) string) error {
	for _, v := range headerValues {
		v.set(&b.Header, param(v.param()))
	}
	if text := param("created"); text != "" {
		t, err := parseTime(text)
		if err != nil {
			return &archive.ParamError{Name: "created", Value: text, Want: "a date such as 2026-11-19 or 2026-11-19T12:30:00Z"}
		}
		b.CreationDate = fileTimeOf(t)
		return nil
	}
	for _, item := range items {
		b.CreationDate = max(b.CreationDate, fileTimeOf(item.ModTime))
	}
	return nil
}

func (b *build) writeTo(ctx context.Context, stage *archive.Stage) error {
	file, err := stage.File()
	if err != nil {
		return err
	}
	return b.write(ctx, file)
}

// newFlags are the flags of a new entry before it is encoded.
func (s settings) newFlags(version uint32) FileFlags {
	var flags FileFlags
	if version >= 18 {
		flags |= PublishFid
	}
	if s.compress {
		flags |= compressed
	}
	if s.encrypt == "false" || s.encrypt == "auto" && version >= 6 {
		flags |= ForceNoCrypt
	}
	return flags
}

// folderIndex finds folders in a table, and adds missing ones.
type folderIndex struct {
	dir    *Directory
	byPath map[string]int32
}

func newFolderIndex(d *Directory) *folderIndex {
	x := &folderIndex{d, map[string]int32{".": -1}}
	paths, _ := folderPaths(d.Folders) // cannot fail: Open has checked the folders
	for i, p := range paths {
		p = strings.TrimSuffix(p, "/")
		if _, ok := x.byPath[p]; !ok {
			x.byPath[p] = int32(i)
		}
	}
	return x
}

// place returns the folder and the name for an entry of that path. It adds missing
// folders.
func (x *folderIndex) place(name string) (int32, string) {
	return x.folder(path.Dir(name)), path.Base(name)
}

func (x *folderIndex) folder(dir string) int32 {
	if i, ok := x.byPath[dir]; ok {
		return i
	}
	parent := x.folder(path.Dir(dir))
	i := int32(len(x.dir.Folders))
	x.dir.Folders = append(x.dir.Folders, Folder{parent, path.Base(dir) + `\`})
	x.byPath[dir] = i
	return i
}

// Edit writes the pack with the edits applied. Unchanged entries are copied as they are
// stored. A replaced entry is stored in the same way as the old one.
func (a *Archive) Edit(ctx context.Context, stage *archive.Stage, edits []archive.Edit, opts archive.CreateOptions) error {
	p := a.pack
	if len(edits) == 0 {
		file, err := stage.File()
		if err != nil {
			return err
		}
		_, err = io.Copy(file, io.NewSectionReader(p.ra, 0, p.size))
		return err
	}
	if a.titleKey && p.usesKey() {
		return errTitleKey
	}
	edits, annotated, err := a.takeAnnotationEdits(ctx, edits)
	if err != nil {
		return err
	}
	plan, err := archive.Plan(a.Tree, edits, !p.caseMatters())
	if err != nil {
		return err
	}
	set, err := newSettings(opts)
	if err != nil {
		return err
	}
	b := &build{
		Header:    p.Header,
		Directory: p.Directory,
		encoder:   encoder{version: p.Version, key: p.Key, nodes: p.Nodes, clear: set.clearGBX},
		source:    p,
		iv:        p.headerIV,
		opts:      opts.Options,
	}
	b.Folders = slices.Clone(p.Folders)
	b.Files = make([]File, 0, len(plan))
	old := make(map[string]int, len(p.Files))
	for i, name := range p.paths {
		old[name] = i
	}
	folders := newFolderIndex(&b.Directory)
	for _, e := range plan {
		o := origin{from: -1, item: e.Item, meta: annotated[strings.ToLower(e.Name)]}
		var f File
		i, replaces := old[e.Name]
		switch {
		case e.From != nil:
			o.from = *e.From
			f = p.Files[*e.From]
			if p.paths[*e.From] != e.Name {
				f.rename(p.Version, folders, e.Name)
			}
		case replaces:
			f = p.Files[i]
			f.MetaOffset = noMetadata
			if set.encrypt == "false" {
				f.Flags |= ForceNoCrypt
			}
			if err := o.keepRecord(p, i); err != nil {
				return err
			}
		default:
			f = File{MetaOffset: noMetadata, ClassID: classOfItem(e.Item), Flags: set.newFlags(p.Version)}
			f.Folder, f.Name = folders.place(e.Name)
			if err := o.keepRecord(p, -1); err != nil {
				return err
			}
		}
		b.Files = append(b.Files, f)
		b.origins = append(b.origins, o)
	}
	return b.writeTo(ctx, stage)
}

// usesKey reports whether anything is encrypted with the pack's own key.
func (p *Pack) usesKey() bool {
	encrypted := func(f File) bool { return f.Flags.Encrypted() && f.StoredSize() > 0 }
	return p.headerNeedsKey() || slices.ContainsFunc(p.Files, encrypted)
}

// rename gives an entry another path. Its name is then no hash any more.
func (f *File) rename(version uint32, folders *folderIndex, name string) {
	f.Folder, f.Name = folders.place(name)
	f.Flags &^= IsHashed
	if version >= 18 {
		f.Flags |= PublishFid
	}
}

// caseMatters reports whether some names differ only in letter case. Then edits must not
// ignore case.
func (p *Pack) caseMatters() bool {
	seen := make(map[string]bool, len(p.paths))
	for _, name := range p.paths {
		name = strings.ToLower(name)
		if seen[name] {
			return true
		}
		seen[name] = true
	}
	return false
}
