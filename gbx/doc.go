// Package gbx reads and writes GBX files, in which TrackMania, ManiaPlanet
// and Virtual Skipper keep maps, replays, items and everything else.
//
// A file has a header with a few chunks for quick looks, a table of files
// outside it refers to, and a body: a tree of nodes, each an instance of a
// class and stored as a list of chunks. Which chunks there are and what they
// hold is not part of the format; package gbx is given that knowledge as a
// [Registry], usually the one of pakbox/gbx/engine.
//
//	f, err := gbx.Open(ctx, file, size, engine.Registry())
//	if common, ok := gbx.FindHeader[*game.Header03043003](&f.Header); ok {
//		fmt.Println(common.MapName)
//	}
//
// Nothing is lost: what is not understood is kept as [Opaque] regions, and a
// file that is read and saved without a change gives the same bytes. Values
// are structs to be changed at will; [File.Encode] codes them again. The
// rules are in docs/formats/gbx.md; the byte layouts follow the GBX page of
// the ManiaPlanet wiki, and real files where they differ from it.
//
// # The values of a file
//
// Whoever wants them needs [Open], [Parse] or [ReadHeader], then [Find] and
// [FindHeader], and [File.Encode] or [File.WriteTo] to save what was changed.
// [New] begins a file.
//
// # All values, whatever they are
//
// Tools that show, count or change any value look on as a [Visitor] while
// [File.Walk] codes the file; those that want nodes and chunks only, while
// [File.Outline] does, which is much faster. A [Source] gives values to
// [File.Build]. [File.Coverage] says what was understood.
//
// # The code of chunks
//
// Nearly all of it is generated from sheets. It talks to a [Coder] and to what
// says of itself that it is for the code of chunks. They stand in this package
// because a Coder reads nodes, and nodes are what files are made of.
package gbx
