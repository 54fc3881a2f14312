// Package tier divides the tests into tiers, and is the only place that does. The variable
// PAKBOX_TESTS chooses one:
//
//   - quick: what 'make test' runs. It needs only Go. A test that needs real files, another
//     program, a mount or much time calls All, which skips it.
//   - unset: what 'make test-all' and 'go test' run. Packages corpus and peer find the real
//     files and the other programs, and decide what happens without them.
//   - long: the same tests with every case, where the other tiers take some. Targets of
//     the Makefile such as 'make mirror' use it.
package tier

import (
	"os"
	"testing"
)

const variable = "PAKBOX_TESTS"

// All skips a test in the quick tier. It names what the test needs, such as "real files".
func All(tb testing.TB, needs string) {
	tb.Helper()
	if IsQuick() {
		tb.Skipf("make test-all: needs %s", needs)
	}
}

// IsQuick reports whether only the tests of 'make test' are wanted.
func IsQuick() bool { return os.Getenv(variable) == "quick" }

// IsLong reports whether a test should try every case.
func IsLong() bool { return os.Getenv(variable) == "long" }
