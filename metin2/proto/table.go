package proto

import (
	"encoding/binary"

	"pakbox/archive"
	"pakbox/fault"
	"pakbox/internal/lib/wire"
	"pakbox/metin2/eterpack"
	"pakbox/metin2/internal/codepage"
	"pakbox/metin2/internal/packname"
)

// kind reports whether a table has items or monsters.
type kind struct {
	name    string // item, mob
	keyName string // name of the key in a keys file
	// key is the key of the unmodified client. It is not a secret: every public tool has it,
	// and operators who want secrecy change it.
	key     eterpack.Key
	layouts func() []*layout
	columns func(*layout) []string // the fields in a line of the text form
}

var (
	items = &kind{name: "item", keyName: "metin2-item-proto", key: eterpack.Key{173217, 72619434, 408587239, 27973291},
		layouts: itemLayouts, columns: itemColumns}
	mobs = &kind{name: "mob", keyName: "metin2-mob-proto", key: eterpack.Key{4813894, 18955, 552631, 6822045},
		layouts: func() []*layout { return []*layout{mobLayout(24, 11)} }, columns: mobColumns}
)

// The marks at the beginning of a file. Old item_protos have no stride.
const (
	markItems    = "MIPX"
	markOldItems = "MIPT"
	markMobs     = "MMPT"
)

// table is a table of records.
type table struct {
	kind    *kind
	layout  *layout
	pages   pages
	data    []byte // the records
	version uint32 // of a file with the mark MIPX
	mark    string // mark of the file
	object  string // mark of the crypted object in the file
	key     eterpack.Key
	notes   []note // values of a text form that the table cannot hold
}

// note is about a value in a line of a text form. It is read like dump_proto reads it,
// which loses something.
type note struct {
	line    int
	field   string
	message string
	word    string // the unknown word, if there is one
}

// record is one record.
type record struct {
	*table
	data []byte
}

func (t *table) count() int { return len(t.data) / t.layout.stride }

func (t *table) record(i int) record {
	return record{t, t.data[i*t.layout.stride:][:t.layout.stride]}
}

func (r record) vnum() uint32 { return binary.LittleEndian.Uint32(r.data) }

// byVnum finds the records by their vnums. Of two records with the same vnum the client
// uses the later one.
func (t *table) byVnum() map[uint32]record {
	found := make(map[uint32]record, t.count())
	for i := range t.count() {
		found[t.record(i).vnum()] = t.record(i)
	}
	return found
}

// with returns the table with other records.
func (t *table) with(data []byte) *table {
	c := *t
	c.data, c.notes = data, nil
	return &c
}

// readTable reads a client's file.
func readTable(file []byte, opts archive.Options) (*table, error) {
	r := wire.NewReader(file, 0)
	t := &table{kind: items, mark: string(r.Bytes(4, "fourcc"))}
	stride := uint32(0)
	switch t.mark {
	case markItems:
		t.version, stride = r.U32("version"), r.U32("stride")
	case markMobs:
		t.kind = mobs
	}
	count, size := r.U32("count"), r.U32("size")
	at := r.Offset()
	if r.Err() != nil {
		return nil, r.Err()
	}
	if int64(size) != int64(len(file))-at {
		return nil, fault.At(fault.SizeMismatch, at-4, "size", "the object has %d bytes, %d follow", size, int64(len(file))-at)
	}
	key, err := t.kind.keyFrom(opts.Keys)
	if err != nil {
		return nil, err
	}
	t.key = key
	object := append([]byte(nil), file[at:]...)
	if t.data, t.object, err = eterpack.OpenObject(object, at, key, opts.EntryLimit()); err != nil {
		return nil, err
	}
	if stride == 0 && count > 0 {
		stride = uint32(len(t.data)) / count
	}
	if stride < 4 && count > 0 || int64(stride)*int64(count) != int64(len(t.data)) {
		return nil, fault.At(fault.SizeMismatch, at-8, "count", "%d records of %d bytes are not the %d bytes that are stored", count, stride, len(t.data))
	}
	if count == 0 {
		t.layout = t.kind.layouts()[0]
	} else {
		t.layout = t.kind.layoutFor(int(stride), t.data)
	}
	return t, t.choosePages(opts.CodePage)
}

// file returns the table as a client's file.
func (t *table) file() ([]byte, error) {
	object, err := eterpack.SealObject(t.data, t.object, t.key)
	if err != nil {
		return nil, err
	}
	b := []byte(t.mark)
	if t.mark == markItems {
		b = binary.LittleEndian.AppendUint32(b, t.version)
		b = binary.LittleEndian.AppendUint32(b, uint32(t.layout.stride))
	}
	b = binary.LittleEndian.AppendUint32(b, uint32(t.count()))
	b = binary.LittleEndian.AppendUint32(b, uint32(len(object)))
	return append(b, object...), nil
}

// choosePages sets the code pages. The makers' names are Korean. The client's names have
// the page that the user named, or one in which all names are valid.
func (t *table) choosePages(asked string) (err error) {
	t.pages.korean = korean
	var names [][]byte
	if f, ok := t.layout.field("locale_name"); ok {
		for i := range t.count() {
			names = append(names, f.raw(t.record(i)))
		}
	}
	t.pages.locale, err = packname.CodePage(asked, names)
	return err
}

var korean, _ = codepage.Find("949")

// keyFrom returns the user's key, or the key of the unmodified client.
func (k *kind) keyFrom(ring archive.Keys) (eterpack.Key, error) {
	value, ok := ring.Key(k.keyName)
	if !ok {
		return k.key, nil
	}
	key, ok := eterpack.ParseKey(value)
	if !ok {
		return key, fault.New(fault.Key, "key %s: expected %s", k.keyName, wantKey)
	}
	return key, nil
}

const wantKey = "four numbers, with commas between them"
