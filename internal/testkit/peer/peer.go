// Package peer finds the programs that tests compare with, which are not part
// of the project. Only this package and package corpus skip a test because
// something is not there, so that both obey PAKBOX_REQUIRE: where it is set,
// such a test fails.
package peer

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// Program returns the path of a program that a package of Debian holds, or
// ends the test. Debian keeps games where not everyone's PATH leads.
func Program(tb testing.TB, name, debian string) string {
	tb.Helper()
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

// Python returns a Python that has some modules, or ends the test. The
// system's is asked first: Debian's modules belong to that one.
func Python(tb testing.TB, modules ...string) string {
	tb.Helper()
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

// Missing ends a test that cannot be run here, and says why.
func Missing(tb testing.TB, format string, args ...any) {
	tb.Helper()
	if os.Getenv("PAKBOX_REQUIRE") != "" {
		tb.Fatalf(format+", and PAKBOX_REQUIRE is set", args...)
	}
	tb.Skipf(format, args...)
}
