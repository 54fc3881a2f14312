package pak

import (
	"bytes"
	"encoding/binary"
	"io"

	"pakbox/archive"
	"pakbox/fault"
)

// A metadata record usually repeats the header of its entry. Then it can be made from the
// content again. A record that says something else is carried along: from pack to pack,
// and in a file beside extracted entries.

// carriedRecord is the metadata record that an entry gets instead of one from its content.
type carriedRecord struct {
	version uint32 // version of the pack that the record is from
	data    []byte // nil for none
}

// as returns the record in the form of another version. f and content are the entry.
func (c *carriedRecord) as(version uint32, f *File, content []byte) ([]byte, error) {
	switch {
	case c.data == nil, (c.version < 18) == (version < 18):
		return c.data, nil
	case version >= 18:
		head, _ := parseGBXHead(c.data)
		if head == nil {
			return nil, fault.New(fault.BadEntry, "the metadata record is not the beginning of a GBX file")
		}
		if len(head.userData) > maxRecord {
			return nil, fault.New(fault.Limit, "the metadata record has %d bytes, and version %d holds %d", len(head.userData), version, maxRecord)
		}
		return recordOrNone(head.userData), nil
	}
	head, n := parseGBXHead(content)
	if head == nil || binary.LittleEndian.Uint16(content[3:]) < 6 {
		return nil, fault.New(fault.Unsupported, "version %d cannot store metadata of an entry that is not a GBX file of version 6", version)
	}
	at := n - 4 - len(head.userData)
	data := bytes.Clone(content[:at-4])
	data = binary.LittleEndian.AppendUint32(data, uint32(len(c.data)))
	return append(append(data, c.data...), content[n-4:n]...), nil
}

// maxRecord is the length of the longest record in version 18.
const maxRecord = 0xffff

// recordOrNone is the record of version 18 with this user data. An entry without user data
// has none.
func recordOrNone(userData []byte) []byte {
	if len(userData) == 0 {
		return nil
	}
	return bytes.Clone(userData)
}

// carried returns the record of an entry if its content would give another one, otherwise
// nil. A pack without a metadata section carries nothing.
func (p *Pack) carried(i int) (*carriedRecord, error) {
	if !p.hasMetadata() {
		return nil, nil
	}
	records, err := p.metadata()
	if err != nil {
		return nil, err
	}
	stored, ok := records[i]
	if ok && stored == nil {
		stored = []byte{}
	}
	if head, err := p.head(i); err == nil {
		made := metadataFor(p.Version, &p.Files[i], head)
		if bytes.Equal(made, stored) && (made == nil) == (stored == nil) {
			return nil, nil
		}
	} else if !ok {
		return nil, nil
	}
	return &carriedRecord{p.Version, stored}, nil
}

// head reads the beginning of an entry, as far as a record can repeat it.
func (p *Pack) head(i int) ([]byte, error) {
	r, err := p.Reader(i)
	if err != nil {
		return nil, err
	}
	return readHead(r)
}

// readHead reads the header of a GBX file up to its number of nodes, or a few bytes of
// another file.
func readHead(r io.Reader) ([]byte, error) {
	const start = 17 // up to the length of the user data
	head := make([]byte, start)
	n, err := io.ReadFull(r, head)
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return head[:n], nil
	}
	if err != nil || string(head[:3]) != "GBX" || binary.LittleEndian.Uint16(head[3:]) < 6 {
		return head, err
	}
	rest := min(int64(binary.LittleEndian.Uint32(head[13:]))+4, maxHeadLen)
	data, err := io.ReadAll(io.LimitReader(r, rest))
	return append(head, data...), err
}

// maxHeadLen limits the header of a GBX file that is compared with its record.
const maxHeadLen = 16 << 20

// carriedOf returns the record that an item brings along from another pack.
func carriedOf(item archive.Item) (*carriedRecord, error) {
	from, ok := item.Record.(record)
	if !ok {
		return nil, nil
	}
	c, err := from.carried(from.i)
	return c, fault.InEntry(err, item.Name)
}

// recordFor makes the metadata record of a new entry.
func (b *build) recordFor(o *origin, f *File, content []byte) ([]byte, error) {
	if o.meta == nil {
		return metadataFor(b.Version, f, content), nil
	}
	return o.meta.as(b.Version, f, content)
}

// carriesRecords reports whether an entry has a record that its content does not give.
func (b *build) carriesRecords() bool {
	for i := range b.origins {
		if m := b.origins[i].meta; m != nil && m.data != nil {
			return true
		}
	}
	return false
}

// checkRecord compares a metadata record with its entry.
func (a *Archive) checkRecord(i int, head []byte) error {
	p := a.pack
	records, _ := p.metadata()
	stored, ok := records[i]
	entry, _ := parseGBXHead(head)
	if !ok || entry == nil {
		return nil
	}
	user := stored
	if p.Version < 18 {
		of, _ := parseGBXHead(stored)
		if of == nil {
			return nil
		}
		if of.classID != entry.classID {
			return fault.New(fault.BadEntry, "the metadata is of class %08X, the file of class %08X", of.classID, entry.classID)
		}
		user = of.userData
	}
	if !bytes.Equal(user, entry.userData) {
		return fault.New(fault.BadEntry, "the metadata has other user data (%d bytes) than the header of the file (%d bytes)", len(user), len(entry.userData))
	}
	return nil
}

// keepRecord decides the record of a new entry: that of the list of records, that of the
// pack that the item is from, or that of the replaced entry, in this order. old is the
// number of the replaced entry, or -1.
func (o *origin) keepRecord(p *Pack, old int) (err error) {
	if o.meta == nil {
		o.meta, err = carriedOf(o.item)
	}
	if _, unreadable := p.metadata(); o.meta == nil && err == nil && old >= 0 && unreadable == nil {
		o.meta, err = p.carried(old)
	}
	return err
}

// classOfItem returns the class ID that an item has in another pack; 0 for other items. A
// GBX file states its own.
func classOfItem(item archive.Item) uint32 {
	if from, ok := item.Record.(record); ok {
		return from.file().ClassID
	}
	return 0
}
