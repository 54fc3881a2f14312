// Package meta holds the classes of the meta engine (2F), which have no chunks.
package meta
