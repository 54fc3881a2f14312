package main

import (
	"cmp"
	"fmt"
	"slices"

	"pakbox/gbx"
	"pakbox/gbx/classid"
	"pakbox/gbx/engine"
)

// unnamed is a visitor that counts the bytes of values by chunk: all bytes, and those
// without a known meaning. Sheets call such values _, dumps call them u01, u02.
type unnamed struct {
	chunks map[classid.ID]*named
	groups []group
}

type named struct{ bytes, unnamed int64 }

// group is an open group: its chunk, and whether the group has a name.
type group struct {
	chunk   classid.ID
	unnamed bool
}

func isUnnamed(name string) bool {
	return len(name) == 3 && name[0] == 'u' && name[1] >= '0' && name[1] <= '9' && name[2] >= '0' && name[2] <= '9'
}

func (u *unnamed) top() group {
	if len(u.groups) == 0 {
		return group{}
	}
	return u.groups[len(u.groups)-1]
}

func (u *unnamed) Begin(name string, p any, _ int64) {
	g := u.top()
	switch p := p.(type) {
	case *gbx.Node:
		g = group{}
	case *gbx.Chunk:
		g = group{chunk: p.ID.Latest()}
	case *gbx.HeaderChunk:
		g = group{chunk: p.ID.Latest()}
	default:
		g.unnamed = g.unnamed || isUnnamed(name)
	}
	u.groups = append(u.groups, g)
}

func (u *unnamed) End(int64) {
	if n := len(u.groups); n > 0 {
		u.groups = u.groups[:n-1]
	}
}

func (u *unnamed) Value(string, any) {}

func (u *unnamed) Coded(name string, _ any, _, length int64) {
	g := u.top()
	c := u.chunks[g.chunk]
	if c == nil {
		c = &named{}
		u.chunks[g.chunk] = c
	}
	c.bytes += length
	if g.unnamed || isUnnamed(name) {
		c.unnamed += length
	}
}

func (u *unnamed) print(most int) {
	var all named
	ids := make([]classid.ID, 0, len(u.chunks))
	for id, c := range u.chunks {
		all.bytes += c.bytes
		all.unnamed += c.unnamed
		if c.unnamed > 0 {
			ids = append(ids, id)
		}
	}
	slices.SortFunc(ids, func(a, b classid.ID) int {
		return cmp.Or(cmp.Compare(u.chunks[b].unnamed, u.chunks[a].unnamed), cmp.Compare(a, b))
	})
	fmt.Printf("%d of %d bytes of values have no name, in %d of %d chunks\n", all.unnamed, all.bytes, len(ids), len(u.chunks))
	for _, id := range ids[:min(most, len(ids))] {
		c := u.chunks[id]
		fmt.Printf("%v %-36s %9d of %9d bytes\n", id, engine.Registry().ClassName(id.Class()), c.unnamed, c.bytes)
	}
}
