package pak

import (
	"encoding/binary"

	"pakbox/internal/lib/wire"
)

// coder reads and writes structs. A layout is written once, as a function that takes a
// coder, and works in both directions: if r is set it reads, otherwise it appends to w.
type coder struct {
	r *wire.Reader
	w []byte
}

func (c *coder) u32(v *uint32, field string) {
	if c.r != nil {
		*v = c.r.U32(field)
	} else {
		c.w = binary.LittleEndian.AppendUint32(c.w, *v)
	}
}

func (c *coder) i32(v *int32, field string) {
	u := uint32(*v)
	c.u32(&u, field)
	*v = int32(u)
}

func (c *coder) u64(v *uint64, field string) {
	if c.r != nil {
		*v = c.r.U64(field)
	} else {
		c.w = binary.LittleEndian.AppendUint64(c.w, *v)
	}
}

// raw reads or writes a field of fixed length.
func (c *coder) raw(p []byte, field string) {
	if c.r != nil {
		copy(p, c.r.Bytes(len(p), field))
	} else {
		c.w = append(c.w, p...)
	}
}

// str reads or writes a length and a string.
func (c *coder) str(s *string, field string) {
	if c.r != nil {
		*s = string(c.r.Bytes(int(int32(c.r.U32(field))), field))
		return
	}
	c.w = binary.LittleEndian.AppendUint32(c.w, uint32(len(*s)))
	c.w = append(c.w, *s...)
}

// list reads or writes a count and a list. Each element takes at least minSize bytes.
func list[T any](c *coder, s *[]T, minSize int, field string, each func(*T)) {
	if c.r != nil {
		*s = make([]T, c.r.Count(minSize, field))
	} else {
		c.w = binary.LittleEndian.AppendUint32(c.w, uint32(len(*s)))
	}
	for i := range *s {
		if each(&(*s)[i]); c.r != nil && c.r.Err() != nil {
			return
		}
	}
}
