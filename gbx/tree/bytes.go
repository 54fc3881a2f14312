package tree

import (
	"bytes"

	"pakbox/archive"
)

// ByteDiff lists the bytes of header and uncompressed body that differ
// between two forms of one file: values, and the sizes and counts between
// them. Of compressed blocks it lists what differs inside, too.
func ByteDiff(a, b *Tree) []archive.ByteChange {
	list := spaceDiff("header", a.spaces[InHeader], b.spaces[InHeader], leaves(&a.Header, InHeader), leaves(&b.Header, InHeader))
	list = append(list, spaceDiff("body", a.spaces[InBody], b.spaces[InBody], leaves(&a.Body, InBody), leaves(&b.Body, InBody))...)
	old, new := contents(&a.Body, "body"), contents(&b.Body, "body")
	for i := range old {
		if i < len(new) && old[i].path == new[i].path {
			x, y := old[i].Value, new[i].Value
			list = append(list, spaceDiff("inside "+old[i].path, a.spaces[x.Space], b.spaces[y.Space],
				leaves(x, x.Space), leaves(y, y.Space))...)
		}
	}
	return list
}

// contents lists the contents of the compressed blocks below v.
func contents(v *Value, path string) []placed {
	var list []placed
	for i := range v.Children {
		c := &v.Children[i]
		at := path + separator(c.Name) + c.Name
		if c.Space != v.Space && c.Space > InBody {
			list = append(list, placed{at, c})
		}
		list = append(list, contents(c, at)...)
	}
	return list
}

// placed is a single value with its path.
type placed struct {
	path string
	*Value
}

// leaves lists the single values below v in the order of the file.
func leaves(v *Value, space int) []placed {
	var list []placed
	var walk func(v *Value, path string)
	walk = func(v *Value, path string) {
		if v.Space != space {
			return
		}
		if v.Kind == Leaf {
			list = append(list, placed{path, v})
			return
		}
		for i := range v.Children {
			c := &v.Children[i]
			walk(c, path+separator(c.Name)+c.Name)
		}
	}
	v2 := *v
	v2.Space = space
	walk(&v2, v.Name)
	return list
}

// spaceDiff compares value by value, and what lies between two values with
// what lies between the same two in the other form.
func spaceDiff(part string, old, new []byte, a, b []placed) []archive.ByteChange {
	var list []archive.ByteChange
	compare := func(place string, at int64, x, y []byte) {
		if !bytes.Equal(x, y) {
			list = append(list, archive.ByteChange{Part: part, Place: place, Offset: at, Old: x, New: y})
		}
	}
	if len(a) != len(b) { // other values are there now
		n := commonPrefix(old, new)
		m := commonSuffix(old[n:], new[n:])
		compare("", int64(n), old[n:len(old)-m], new[n:len(new)-m])
		return list
	}
	var x, y int64
	for i := range a {
		v, w := a[i], b[i]
		for _, r := range changedWords(old[x:max(x, v.Offset)], new[y:max(y, w.Offset)]) {
			r.Part, r.Place, r.Offset = part, "sizes before "+v.path, r.Offset+x
			list = append(list, r)
		}
		compare(v.path, v.Offset, old[v.Offset:v.Offset+v.Length], new[w.Offset:w.Offset+w.Length])
		if last := len(list) - 1; last >= 0 && list[last].Place == v.path && list[last].Part == part {
			list[last].OldText, list[last].NewText = v.Text(), w.Text()
		}
		x, y = v.Offset+v.Length, w.Offset+w.Length
	}
	compare("end", x, old[x:], new[y:])
	return list
}

// changedWords lists the words that differ between two stretches of bytes that
// belong to no value: the sizes and counts there are words.
func changedWords(old, new []byte) []archive.ByteChange {
	if len(old) != len(new) {
		return []archive.ByteChange{{Old: old, New: new}}
	}
	const word = 4
	var list []archive.ByteChange
	for at := 0; at < len(old); at += word {
		end := min(at+word, len(old))
		if !bytes.Equal(old[at:end], new[at:end]) {
			list = append(list, archive.ByteChange{Offset: int64(at), Old: old[at:end], New: new[at:end]})
		}
	}
	return list
}

func commonPrefix(a, b []byte) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

func commonSuffix(a, b []byte) int {
	n := 0
	for n < len(a) && n < len(b) && a[len(a)-1-n] == b[len(b)-1-n] {
		n++
	}
	return n
}
