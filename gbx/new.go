package gbx

// newVersion is the version of the container that every game since 2003 can
// read and all of them write.
const newVersion = 6

// New returns a file around a node, stored as the games store one: binary,
// with a compressed body and without header chunks.
func New(body *Node, reg *Registry) *File {
	f := &File{Body: body, reg: reg}
	f.Version, f.Format, f.RefCompression, f.BodyCompression, f.Unknown = newVersion, 'B', 'U', 'C', 'R'
	f.Class, f.NumNodes, f.UserData.Raw = body.Class, 1, []byte{}
	return f
}
