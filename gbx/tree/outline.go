package tree

import "pakbox/gbx"

// Outline returns the tree of a file in which nothing is below the chunks of the
// header and of the main node, which hold nearly all values.
func Outline(f *gbx.File, reg *gbx.Registry) (*Tree, error) {
	b := partBuilder{builder: newBuilder(f, reg), parts: parts{wanted: map[int]bool{}}}
	return b.built(&b)
}

// namesOfParts is Outline with all of some parts, and without the bytes that values are stored in.
func namesOfParts(f *gbx.File, reg *gbx.Registry, wanted map[int]bool) (*Tree, error) {
	b := partBuilder{builder: newBuilder(f, reg), parts: parts{wanted: wanted}}
	return b.named(&b)
}

// partBuilder is a builder that passes over parts.
type partBuilder struct {
	builder
	parts
}

// Done is never: all parts are there, if only by name.
func (b *partBuilder) Done() bool { return false }

func (b *partBuilder) Begin(name string, p any, offset int64) {
	b.begin(p)
	b.builder.Begin(name, p, offset)
}

func (b *partBuilder) End(offset int64) {
	b.end()
	b.builder.End(offset)
}
