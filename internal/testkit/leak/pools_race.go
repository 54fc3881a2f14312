//go:build race

package leak

// With the race detector, a sync.Pool drops a quarter of the objects that are put into
// it.
const forgetful = true
