package gbx

// A Reader reads files one after the other, each into the memory of the one
// before. For who looks at many files and keeps none, that takes less time than
// making each anew: BenchmarkDecodeMaps and BenchmarkParseMaps of gbx/engine.
type Reader struct{ x *Coder }

// NewReader returns a Reader.
func NewReader(reg *Registry) *Reader {
	x := &Coder{workspace: newWorkspace(reg)}
	x.arena.again = true
	return &Reader{x}
}

// Parse is [Parse], but the File and all it holds, except texts, are good only
// until the next call.
func (r *Reader) Parse(data []byte) (*File, error) { return r.Trace(data, nil) }

// Trace is to [Trace] what Parse is to [Parse].
func (r *Reader) Trace(data []byte, v Visitor) (*File, error) {
	r.x.forget()
	return r.x.file(data, v)
}
