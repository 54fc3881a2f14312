package archive

import (
	"os"
	"strings"

	"pakbox/internal/lib/busy"
)

// rename is os.Rename that waits for a program that has one of the files open.
func rename(from, to string) error {
	return busy.Retry(func() error { return os.Rename(from, to) })
}

// exchangeInSteps swaps two folders where the system has no single call for
// it. A crash in between leaves the old one under a hidden name, which is not
// that of something temporary.
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
