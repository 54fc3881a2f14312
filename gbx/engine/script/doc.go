// Package script holds the chunks of the Script engine (11): values that
// ManiaScript programs store in files.
package script
