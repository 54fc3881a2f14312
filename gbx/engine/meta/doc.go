// Package meta holds the classes of the meta engine (2F), which have no
// chunks: parameters of objects in prefabs, variants of items.
package meta
