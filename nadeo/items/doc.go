// Package items reads and makes the files of objects in the editor's lists: items, blocks
// and other collectors.
package items
