// Package trackmania has the parts that the packages below it share: names with colour
// codes, times, logins, environments, and the games that made a file.
//
// The packages below it answer questions about files in the words of players: maps about
// maps, campaigns about lists of maps, items about items and blocks, media about clips of
// the MediaTracker, runs about ghosts and replays, files about a file of any kind.
//
// A GBX file stores a fact in several chunks, and each game uses other chunks. Package gbx
// shows the chunks unchanged. The packages here know all chunks with the same fact, and
// change them together.
//
//	m, err := maps.Open(ctx, "A01.Map.Gbx")
//	fmt.Println(trackmania.Plain(m.Name()), m.Medals().Author)
//
// Maps can be edited; values that depend on a change are updated with it. Replays and
// ghosts are evidence of a run: they are read and never changed.
package nadeo
