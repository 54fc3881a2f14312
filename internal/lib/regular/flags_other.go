//go:build !unix

package regular

// These systems have no pipes in folders. A link is refused by what it is, see OpenNoFollow.
const nonBlock, noFollow = 0, 0
