package gbx

// newVersion is the container version of all games since 2003.
const newVersion = 6

// New returns a binary file with body as its main node, to be stored compressed.
func New(body *Node, reg *Registry) *File {
	f := &File{Body: body, reg: reg}
	f.Version, f.Format, f.RefCompression, f.BodyCompression, f.Unknown = newVersion, 'B', 'U', 'C', 'R'
	f.Class, f.NumNodes, f.RawUserData = body.Class, 1, []byte{}
	return f
}
