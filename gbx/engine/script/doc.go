// Package script holds the chunks of the Script engine (11): values of
// ManiaScript.
package script
