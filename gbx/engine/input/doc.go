// Package input holds the classes of the input engine (13): which key does
// what.
package input
