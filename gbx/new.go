package gbx

// newVersion is the version of the container in new files. Every game since 2003
// reads and writes it.
const newVersion = 6

// New returns a file with body as its main node. The file is binary and has a
// compressed body and no header chunks, as the games write it.
func New(body *Node, reg *Registry) *File {
	f := &File{Body: body, reg: reg}
	f.Version, f.Format, f.RefCompression, f.BodyCompression, f.Unknown = newVersion, 'B', 'U', 'C', 'R'
	f.Class, f.NumNodes, f.RawUserData = body.Class, 1, []byte{}
	return f
}
