// Package gamedata holds the chunks of the GameData engine (2E): items and
// what they are made of.
package gamedata
