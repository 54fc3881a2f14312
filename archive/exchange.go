package archive

import (
	"os"
	"strings"

	"pakbox/internal/lib/busy"
)

// rename is os.Rename, but waits while another program has one of the files open.
func rename(from, to string) error {
	return busy.Retry(func() error { return os.Rename(from, to) })
}

// exchangeInSteps swaps two folders on systems without a single call for it. A crash in
// between leaves the old folder under a hidden name, which is not a temporary name, so
// that no sweep removes it.
func exchangeInSteps(a, b string) error {
	aside := strings.Replace(tempName(b), ".pakbox-", ".pakbox-old-", 1)
	if err := rename(b, aside); err != nil {
		return err
	}
	if err := rename(a, b); err != nil {
		rename(aside, b)
		return err
	}
	return rename(aside, a)
}
