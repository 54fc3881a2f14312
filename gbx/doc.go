// Package gbx reads and writes GBX files, the files of TrackMania, ManiaPlanet and
// Virtual Skipper for maps, replays, items and everything else.
//
// A file has three parts. The header holds a few chunks that programs read without the
// rest of the file. The reference table lists other files that this file needs. The body
// is a tree of nodes; a node is an instance of a class, and is stored as a list of
// chunks. The format does not say which chunks exist and what they hold. That knowledge
// is a [Registry], usually the one of pakbox/gbx/engine.
//
//	f, err := gbx.Open(ctx, file, size, engine.Registry())
//	if common, ok := gbx.FindHeader[*game.Header03043003](&f.Header); ok {
//		fmt.Println(common.MapName)
//	}
//
// Nothing is lost. Bytes without a known layout are kept as [Opaque] regions, and a file
// that is read and saved without a change gives the same bytes. The values are Go structs
// that a program may change; [File.Encode] writes them. The rules are in
// docs/formats/gbx.md. The byte layouts follow the GBX page of the ManiaPlanet wiki, and
// real files where the page is wrong.
//
// # Some values of a file
//
// Read the file with [Open], [Parse] or [ReadHeader], find chunks with [Find] and
// [FindHeader], and save changes with [File.Encode] or [File.WriteTo]. [New] makes a new
// file.
//
// # All values of a file
//
// [File.Walk] shows every value of a file to a [Visitor], which can print, count or
// change it. [File.Outline] shows nodes and chunks only and is much faster. [File.Build]
// makes a file from the values of a [Source]. [File.Coverage] reports how much of a file is
// understood.
//
// # The code of chunks
//
// Nearly all code of chunks is generated from sheets. It uses [Coder] and package
// pakbox/gbx/code. Coder is a type of this package because it reads and writes nodes, and
// the chunks of a node are coded by it.
package gbx
