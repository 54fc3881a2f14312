package parquet

import (
	"runtime/debug"
	"strconv"
	"strings"

	"pakbox/index"
)

// Numbers of parquet.thrift.
const (
	required, isOptional, repeated = 0, 1, 2

	convertedUTF8, convertedList, convertedMillis = 0, 3, 9
	logicalText, logicalList, logicalTimestamp    = 1, 3, 8
	unitMillis, unitNanos                         = 1, 3

	codecZstd = 6

	creator = "pakbox"
)

// footer returns the FileMetaData of the file.
func (w *Writer) footer() []byte {
	var t thrift
	rows := int64(0)
	for _, g := range w.groups {
		rows += g.rows
	}
	t.structure(func() {
		t.int32(1, 2) // version of the format
		elements := w.schema(&t)
		t.list(2, thriftStruct, len(elements), func(i int) { t.structure(elements[i]) })
		t.int64(3, rows)
		t.list(4, thriftStruct, len(w.groups), func(i int) { t.structure(func() { w.group(&t, i) }) })
		notes := append(w.notes, [2]string{"pakbox.schema_version", strconv.Itoa(index.Version)}, [2]string{"pakbox.version", version()})
		t.list(5, thriftStruct, len(notes), func(i int) {
			t.structure(func() {
				t.text(1, notes[i][0])
				t.text(2, notes[i][1])
			})
		})
		t.text(6, creator+" version "+version())
		t.list(7, thriftStruct, len(w.columns), func(int) { t.structure(func() { t.inner(1, nothing) }) }) // sort order of each column: that of its type
	})
	return t.b
}

// version is the version of pakbox. The programs of its other modules, such as the pipeline
// for clusters, have the version of the same commit. Within other programs it is unknown.
func version() string {
	info, _ := debug.ReadBuildInfo()
	if info != nil && strings.HasPrefix(info.Main.Path+"/", "pakbox/") && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}

// schema lists the elements of the schema: the root, and each column with its nested
// elements.
func (w *Writer) schema(t *thrift) []func() {
	elements := []func(){func() {
		t.text(4, "rows")
		t.int32(5, len(w.columns))
	}}
	for _, c := range w.columns {
		if c.Type != index.Integers {
			elements = append(elements, func() { c.element(t) })
			continue
		}
		elements = append(elements, func() {
			t.int32(3, required)
			t.text(4, c.Name)
			t.int32(5, 1)
			t.int32(6, convertedList)
			t.inner(10, func() { t.inner(logicalList, nothing) })
		}, func() {
			t.int32(3, repeated)
			t.text(4, "list")
			t.int32(5, 1)
		}, func() {
			t.int32(1, c.physical)
			t.int32(3, isOptional)
			t.text(4, "element")
		})
	}
	return elements
}

// element writes the schema element of the column itself.
func (c *column) element(t *thrift) {
	t.int32(1, c.physical)
	if c.physical == physicalFixed {
		t.int32(2, c.Size)
	}
	t.int32(3, int(c.maxDef)) // required 0, optional 1
	t.text(4, c.Name)
	switch {
	case c.Type == index.Text:
		t.int32(6, convertedUTF8)
		t.inner(10, func() { t.inner(logicalText, nothing) })
	case c.moment():
		unit := int16(unitNanos)
		if !c.Nano {
			unit = unitMillis
			t.int32(6, convertedMillis)
		}
		t.inner(10, func() {
			t.inner(logicalTimestamp, func() {
				t.field(1, thriftTrue) // in UTC
				t.inner(2, func() { t.inner(unit, nothing) })
			})
		})
	}
}

// group writes the i-th RowGroup.
func (w *Writer) group(t *thrift, i int) {
	g := &w.groups[i]
	var raw, stored int64
	for _, k := range g.chunks {
		raw += k.raw
		stored += k.stored
	}
	t.list(1, thriftStruct, len(g.chunks), func(k int) {
		t.structure(func() {
			t.int64(2, 0) // offset of a second copy of ColumnMetaData; 0 for none
			t.inner(3, func() { w.columns[k].describe(t, &g.chunks[k]) })
		})
	})
	t.int64(2, raw)
	t.int64(3, g.rows)
	t.int64(6, stored)
}

// describe writes the ColumnMetaData of a chunk.
func (c *column) describe(t *thrift, k *chunk) {
	path := []string{c.Name}
	if c.Type == index.Integers {
		path = append(path, "list", "element")
	}
	encodings := []int64{encodingPlain, encodingRLE}
	if k.dictionaryPages {
		encodings = append(encodings, encodingDictionary)
	}
	t.int32(1, c.physical)
	t.list(2, thriftInt32, len(encodings), func(i int) { t.element(encodings[i]) })
	t.list(3, thriftBinary, len(path), func(i int) { t.string(path[i]) })
	t.int32(4, codecZstd)
	t.int64(5, k.values)
	t.int64(6, k.raw)
	t.int64(7, k.stored)
	t.int64(9, k.offset)
	if k.dictionaryPages {
		t.int64(11, k.dictionaryOffset)
	}
	t.inner(12, func() {
		t.int64(3, k.nulls)
		if (c.physical == physicalInt32 || c.physical == physicalInt64) && k.nulls < k.values {
			t.text(5, string(c.appendInteger(nil, k.high)))
			t.text(6, string(c.appendInteger(nil, k.low)))
		}
	})
}
