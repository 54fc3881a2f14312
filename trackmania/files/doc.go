// Package files answers questions about a GBX file of any kind: the name of its
// main thing, the game that made it, and the facts that it states in two ways.
package files
