// Package control holds the chunks of the Control engine (07), the parts of
// the user interface.
package control
