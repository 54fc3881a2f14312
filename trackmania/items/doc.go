// Package items reads and makes the files that the editor lists: items, blocks
// and other collectors.
package items
