// Package system holds the chunks of the System engine (0B): the game's
// settings.
package system
