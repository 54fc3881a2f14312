package clips

import "pakbox/fact"

// Facts are the facts of clips.
var Facts = fact.NewTable("clip", "A clip of the media tracker.", []fact.Row[*Clip]{
	{Name: "name", Kind: fact.Text, Doc: "name of the clip", Always: true, Get: func(c *Clip) any { return c.Name() }},
	{Name: "length", Kind: fact.Number, Doc: "end of the last block in seconds", Always: true, Get: func(c *Clip) any { return float64(c.Length()) }},
	{Name: "track_count", Kind: fact.Count, Doc: "number of tracks", Always: true, Get: func(c *Clip) any { return len(c.Tracks()) }},
	{Name: "block_count", Kind: fact.Count, Doc: "number of blocks on the tracks", Always: true, Get: func(c *Clip) any {
		n := 0
		for _, t := range c.Tracks() {
			n += len(t.Blocks)
		}
		return n
	}},
})
