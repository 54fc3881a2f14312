// Package input holds the classes of the input engine (13): keys and their
// actions.
package input
