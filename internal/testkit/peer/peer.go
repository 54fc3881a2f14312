// Package peer finds the programs with which tests compare, and which are not part of the
// project. Only this package and package corpus skip a test because something is missing,
// and package tier skips what 'make test' leaves out. With PAKBOX_REQUIRE, a test whose
// program is missing fails.
package peer

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"pakbox/internal/testkit/tier"
)

// Program returns the path of a program from a Debian package, or ends the test. Debian
// installs games in a folder that is not in everybody's PATH.
func Program(tb testing.TB, name, debian string) string {
	tb.Helper()
	tier.All(tb, "other programs")
	for _, try := range []string{name, "/usr/games/" + name} {
		if path, err := exec.LookPath(try); err == nil {
			return path
		}
	}
	Missing(tb, "no program %s (Debian: %s)", name, debian)
	return ""
}

// Makeobj returns Simutrans' own compiler, or ends the test.
func Makeobj(tb testing.TB) string {
	tb.Helper()
	return Program(tb, "makeobj", "simutrans-makeobj")
}

// Python returns a Python with these modules, or ends the test. The system's Python comes
// first, because Debian's modules belong to it.
func Python(tb testing.TB, modules ...string) string {
	tb.Helper()
	tier.All(tb, "other programs")
	code, debian := "", []string{"python3"}
	for _, m := range modules {
		code += "import " + m + "\n"
		debian = append(debian, "python3-"+m)
	}
	for _, try := range []string{"/usr/bin/python3", "python3"} {
		if exec.Command(try, "-c", code).Run() == nil {
			return try
		}
	}
	Missing(tb, "no python3 with modules %v (Debian: %s)", modules, strings.Join(debian, ", "))
	return ""
}

// Missing ends a test that cannot be run here, with the reason.
func Missing(tb testing.TB, format string, args ...any) {
	tb.Helper()
	tier.All(tb, "other programs")
	if os.Getenv("PAKBOX_REQUIRE") != "" {
		tb.Fatalf(format+", and PAKBOX_REQUIRE is set", args...)
	}
	tb.Skipf(format, args...)
}
