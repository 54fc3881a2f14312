//go:build !race

package leak

const forgetful = false
