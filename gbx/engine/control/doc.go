// Package control holds the chunks of the Control engine (07): the user
// interface.
package control
