// Package gamedata holds the chunks of the GameData engine (2E): items.
package gamedata
