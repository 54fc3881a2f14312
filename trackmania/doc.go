// Package trackmania says about maps, replays, ghosts and items what people say: a
// map has a name, an author, medals, blocks and items; a ghost has a time,
// checkpoints, inputs and a driven line.
//
// A GBX file keeps such facts in chunks, often twice and in a different place
// in each game. Package gbx shows the chunks as they are; this package knows
// which of them a person means, and changes all of them together where one
// fact stands in several.
//
//	m, err := trackmania.OpenMap(context.Background(), "A01.Map.Gbx")
//	fmt.Println(trackmania.Plain(m.Name()), m.Medals().Author)
//
// Maps can be edited; what depends on a change follows it. Replays and ghosts
// are evidence of a run and are only ever read.
package trackmania
