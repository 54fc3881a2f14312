package archive

import "pakbox/fact"

// Grouped is an [Archive] whose entries are parts of named things, such as the vehicles
// and buildings of a pakset. Each thing is a folder. A list of the archive shows the
// things rather than all their parts.
type Grouped interface {
	Archive
	// Groups lists the things in stored order.
	Groups() []Group
}

// Group is a folder whose entries are parts of one thing.
type Group struct {
	Folder  string
	Row     bool               // the thing is a row of a table: Folder is its name, without a folder
	Size    int64              // stored bytes of all its parts
	Summary fact.Record        // facts that a list shows; all groups have the same names
	Facts   func() fact.Record // all facts about the thing
}
