// Package files answers questions about a GBX file of any kind: its name, the game that
// made it, and the facts that it states in two contradicting ways.
package files
