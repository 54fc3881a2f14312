package archive

import "os"

// exchangeInSteps swaps two folders where the system has no single call for
// it. A crash in between leaves both, one under a hidden name.
func exchangeInSteps(a, b string) error {
	aside := tempName(b)
	if err := os.Rename(b, aside); err != nil {
		return err
	}
	if err := os.Rename(a, b); err != nil {
		os.Rename(aside, b)
		return err
	}
	return os.Rename(aside, a)
}
