// Package tree shows a GBX file as a tree of named values: header chunks, nodes,
// chunks and fields, each with its offset in the file.
//
//	t, err := tree.Of(file)
//	found, err := t.Find("header.03043003.mapName")
//	fmt.Println(found[0].Value.Text())
//
// [WriteText] writes a dump for people and [WriteJSON] a document for programs.
// Both write the values one by one, without a tree. [ReadJSON] turns the document
// into the same file again, byte for byte. [Diff] compares two files. [Set]
// changes values by path.
//
// A path consists of names, for example body.0304301F.blocks.blocks[3].name. The
// name of a chunk is its ID as found. A name that occurs more than once in a group
// gets a number: listVersion#2.
package tree
