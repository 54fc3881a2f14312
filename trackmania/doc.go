// Package trackmania has what its rooms share: names with colour codes, times,
// logins, environments, and the games that made a file.
//
// The rooms below say about files what people say. Package maps is about maps
// and campaigns, items about items and blocks, media about the clips of the
// media tracker, runs about ghosts and replays. Package files is about a file of
// any kind.
//
// A GBX file keeps a fact in chunks, often twice, and in another chunk in each
// game. Package gbx shows the chunks as they are. The rooms know which chunk a
// person means, and they change all of them together.
//
//	m, err := maps.Open(ctx, "A01.Map.Gbx")
//	fmt.Println(trackmania.Plain(m.Name()), m.Medals().Author)
//
// Maps can be edited; the values that depend on a change follow it. Replays and
// ghosts are evidence of a run: they are read and never changed.
package trackmania
