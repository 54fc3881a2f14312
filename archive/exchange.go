package archive

import (
	"os"
	"strings"
)

// exchangeInSteps swaps two folders where the system has no single call for
// it. A crash in between leaves the old one under a hidden name, which is not
// that of something temporary.
func exchangeInSteps(a, b string) error {
	aside := strings.Replace(tempName(b), ".pakbox-", ".pakbox-old-", 1)
	if err := os.Rename(b, aside); err != nil {
		return err
	}
	if err := os.Rename(a, b); err != nil {
		os.Rename(aside, b)
		return err
	}
	return os.Rename(aside, a)
}
