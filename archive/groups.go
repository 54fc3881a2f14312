package archive

import "pakbox/fact"

// Grouped is an [Archive] whose entries are parts of things that people know
// by name, such as the vehicles and buildings of a pakset. Each is a folder,
// and a list of the archive shows these rather than every part.
type Grouped interface {
	Archive
	// Groups lists them in stored order.
	Groups() []Group
}

// Group is a folder whose entries are parts of one thing.
type Group struct {
	Folder  string
	Row     bool               // it is a row of a table: it has no folder, and Folder is what it is called by
	Size    int64              // of what is stored for it
	Summary fact.Record        // what a list shows of it; all groups have the same names
	Facts   func() fact.Record // all that is known of it
}
