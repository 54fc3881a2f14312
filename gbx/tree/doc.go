// Package tree shows what a GBX file holds as a tree of named values: header
// chunks, nodes, chunks and fields, each with its place in the file.
//
//	t, err := tree.Of(file)
//	for _, m := range t.Find("header.03043003.mapName") { fmt.Println(m.Value) }
//
// From the tree come the dump that people read ([Tree.WriteText]), the
// document that programs read ([Tree.WriteJSON]) and that [ReadJSON] turns
// back into the same file byte for byte, the difference of two files
// ([Diff]), and changes by path ([Set]).
//
// A path is the names on the way to a value, for example
// body.0304301F.blocks.blocks[3].name. Chunks are called by their ID as
// found. A name that comes twice in one group gets a number: listVersion#2.
package tree
