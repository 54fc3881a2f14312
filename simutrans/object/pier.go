package object

import "pakbox/simutrans/node"

// Piers are of Simutrans-Extended alone.
func init() {
	register(&Type{
		Node:   node.PIER,
		Fields: "price money\nmaintenance money\nintro date\nretire date",
		Bodies: []string{"x9.2: price:u32 maintenance:u32 intro:u16 retire:u16"},
	})
}
