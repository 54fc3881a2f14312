// Package metin2proto reads and writes the tables of items and monsters of a Metin2
// client: item_proto and mob_proto, as the client's own file, as the text forms of
// servers (item_proto.txt with item_names.txt), and as CSV. All three are the same table,
// with the same records and fields, and can be converted into each other.
//
// A client's file is a short header and a crypted object as in EterPack. The object holds
// records of one size, one behind the other. The struct of a record differs between
// clients; it is recognised by its size and by the values in the records.
package proto

import (
	"context"
	"path"
	"path/filepath"
	"strings"

	"pakbox/archive"
	"pakbox/fault"
	"pakbox/internal/lib/wire"
	"pakbox/metin2/eterpack"
)

// Format is the format of the tables in all forms. Its zero value is ready.
type Format struct{}

var (
	_ archive.Creator = Format{}
	_ archive.Keyed   = Format{}
)

func (Format) Name() string        { return "metin2proto" }
func (Format) Description() string { return "Metin2 item_proto and mob_proto, also as text and CSV" }

// Extensions are the endings of the file names. A client's files have no extension.
func (Format) Extensions() []string {
	return []string{"item_proto", "mob_proto", "item_proto.csv", "mob_proto.csv", "item_proto.txt", "mob_proto.txt"}
}

// Params is empty: the fields determine the struct of a new file.
func (Format) Params() []archive.Param { return nil }

// KeyKinds are the lines of a keys file that this format uses.
func (Format) KeyKinds() (kinds []archive.KeyKind) {
	for _, k := range []*kind{items, mobs} {
		kinds = append(kinds, archive.KeyKind{Name: k.keyName, Want: wantKey, Kind: func(value string) string {
			if _, ok := eterpack.ParseKey(value); !ok {
				return ""
			}
			return Format{}.Name()
		}})
	}
	return kinds
}

// form is how a table is stored: as a client's file, as text, or as CSV.
type form string

const (
	client  form = "client"
	asCSV   form = "csv"
	asText  form = "text"
	unknown form = ""
)

// headSize is enough for the first line of a text form.
const headSize = 2048

func formOf(head []byte) form {
	if _, ok := isTextForm(head); ok {
		return asText
	}
	switch mark := string(head[:min(len(head), 4)]); {
	case mark == markItems || mark == markOldItems || mark == markMobs:
		return client
	case isCSV(head):
		return asCSV
	}
	return unknown
}

// Match looks at the mark of a client's file or at the first line of a text.
func (Format) Match(in archive.Input) bool { return formOf(in.Prefix(headSize)) != unknown }

// Open is [Open] for a registry.
func (Format) Open(ctx context.Context, in archive.Input, opts archive.Options) (archive.Archive, error) {
	return archive.Opened(Open(ctx, in, opts))
}

// Open reads a table. The names of item_proto.txt are taken from the item_names.txt
// beside it, if there is one.
func Open(_ context.Context, in archive.Input, opts archive.Options) (*Archive, error) {
	if in.Size > opts.EntryLimit() {
		return nil, fault.New(fault.Limit, "%d bytes exceed the limit of %d", in.Size, opts.EntryLimit())
	}
	file, err := wire.ReadAt(in, in.Size, 0, in.Size, "file")
	if err != nil {
		return nil, err
	}
	head := file[:min(len(file), headSize)]
	a := &Archive{form: formOf(head), file: file, opts: opts}
	switch a.form {
	case client:
		a.table, err = readTable(file, opts)
	case asCSV:
		a.table, err = readCSV(file, nil, opts)
	case asText:
		k, _ := isTextForm(head)
		var names []byte
		if names, err = siblingNames(in, opts.EntryLimit()); err == nil {
			a.table, err = k.readText(file, names, opts)
		}
	default:
		err = fault.At(fault.NotFormat, 0, "fourcc", "is neither an item_proto nor a mob_proto")
	}
	if err != nil {
		return nil, fault.InFile(err, in.Name)
	}
	a.Tree = a.tree()
	return a, nil
}

// siblingNames reads the file of names beside a text form, such as item_names.txt.
func siblingNames(in archive.Input, limit int64) ([]byte, error) {
	if in.Sibling == nil {
		return nil, nil
	}
	names, closer, err := in.Sibling(namesFile(in.Name))
	if err != nil || names.Size > limit {
		return nil, nil // without it the Korean names are shown
	}
	defer closer.Close()
	return wire.ReadAt(names, names.Size, 0, names.Size, "names")
}

// namesFile is the name of the file of names for a text form.
func namesFile(name string) string {
	dir, base := path.Split(name)
	return dir + strings.Replace(strings.ToLower(base), "proto", "names", 1)
}

// Create implements archive.Creator. The table comes from a CSV, or from a text form and
// its names. A new file called .csv is CSV, one called .txt a text form, any other a
// client's file.
func (Format) Create(ctx context.Context, stage *archive.Stage, list []archive.Item, opts archive.CreateOptions) error {
	t, err := tableOf(ctx, list, nil, opts.Options)
	if err != nil {
		return err
	}
	opts.BeginItems(list)
	if t.key, err = t.kind.keyFrom(opts.Keys); err != nil {
		return err
	}
	switch strings.ToLower(filepath.Ext(stage.Named())) {
	case ".csv":
		return t.write(stage, asCSV)
	case ".txt":
		return t.write(stage, asText)
	}
	return t.write(stage, client)
}

// tableOf makes a table from files: a CSV, or text forms. old is the table to change, nil
// for a new one.
func tableOf(ctx context.Context, list []archive.Item, old *table, opts archive.Options) (*table, error) {
	files := map[string][]byte{} // by the endings of their names
	for _, it := range list {
		ending := endingOf(it.Name)
		if _, twice := files[ending]; ending == "" || twice {
			return nil, fault.InEntry(fault.New(fault.Unsupported, "a table is made of one CSV, or of one %s and one %s", textEnding, namesEnding), it.Name)
		}
		data, err := it.ReadAll(ctx)
		if err != nil {
			return nil, err
		}
		files[ending] = data
	}
	csv, hasCSV := files[csvEnding]
	text, hasText := files[textEnding]
	names, hasNames := files[namesEnding]
	switch {
	case hasCSV:
		return readCSV(csv, old, opts)
	case hasText:
		k, ok := isTextForm(text)
		if !ok {
			return nil, fault.New(fault.NotFormat, "the first line is not that of item_proto.txt or mob_proto.txt")
		}
		if !hasNames && old != nil {
			names = old.names()
		}
		return k.readText(text, names, opts)
	case hasNames && old != nil:
		return old.rename(names), nil
	}
	return nil, fault.New(fault.Unsupported, "a table is made of one CSV, or of one %s and one %s", textEnding, namesEnding)
}

// Endings of the names of files that a table is made from.
const (
	csvEnding   = "_proto.csv"
	textEnding  = "_proto.txt"
	namesEnding = "_names.txt"
)

func endingOf(name string) string {
	for _, ending := range []string{csvEnding, textEnding, namesEnding} {
		if strings.HasSuffix(strings.ToLower(name), ending) {
			return ending
		}
	}
	return ""
}

// write writes the table in a form.
func (t *table) write(stage *archive.Stage, as form) error {
	data, err := t.csv(), error(nil)
	switch as {
	case asText:
		return fault.New(fault.Unsupported, "a text form is two files; convert into a folder, which then has both")
	case client:
		data, err = t.file()
	}
	if err != nil {
		return err
	}
	file, err := stage.File()
	if err == nil {
		_, err = file.Write(data)
	}
	return err
}
