// Package function holds the chunks of the Function engine (05): curves,
// gradients.
package function
