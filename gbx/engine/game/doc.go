// Package game holds the chunks of the Game engine (03): maps, replays, blocks.
package game
