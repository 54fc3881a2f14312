//go:build race

package leak

// With the race detector, a sync.Pool forgets a quarter of what is given back to it.
const forgetful = true
