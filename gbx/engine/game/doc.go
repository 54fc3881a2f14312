// Package game holds the chunks of the Game engine (03): maps, replays,
// ghosts, the media tracker, blocks and collections.
package game
