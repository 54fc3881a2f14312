// Package tree shows what a GBX file holds as a tree of named values: header
// chunks, nodes, chunks and fields, each with its place in the file.
//
//	t, err := tree.Of(file)
//	for _, m := range t.Find("header.03043003.mapName") { fmt.Println(m.Value) }
//
// The dump that people read ([WriteText]) and the document that programs read
// ([WriteJSON]), which [ReadJSON] turns back into the same file byte for byte,
// are written value by value, without a tree. [Diff] compares two files, and
// [Set] changes values by path.
//
// A path is the names on the way to a value, for example
// body.0304301F.blocks.blocks[3].name. Chunks are called by their ID as
// found. A name that comes twice in one group gets a number: listVersion#2.
package tree
