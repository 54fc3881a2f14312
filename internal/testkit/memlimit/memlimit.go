// Package memlimit runs a test in a process with limited memory. The kernel refuses more,
// and then the process dies.
package memlimit

import (
	"os"
	"os/exec"
	"runtime/debug"
	"strings"
	"testing"
)

const variable = "PAKBOX_TEST_MEMLIMIT"

// Run runs work in a process that may use so many bytes more than at the begin of work.
// Like pakbox serve, the process collects garbage before it reaches the limit. prepare
// runs before, without a limit. On systems without such limits, work runs unlimited.
func Run(t *testing.T, beyond int64, prepare func() (work func())) {
	t.Helper()
	if os.Getenv(variable) == t.Name() || !supported {
		work := prepare()
		debug.SetGCPercent(100) // whatever GOGC the tests run with
		debug.FreeOSMemory()
		debug.SetMemoryLimit(held() + beyond*5/8)
		if err := limit(beyond); err != nil {
			t.Fatal(err)
		}
		work()
		return
	}
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, "-test.run=^"+t.Name()+"$", "-test.v")
	cmd.Env = append(os.Environ(), variable+"="+t.Name())
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "--- PASS: "+t.Name()) {
		t.Errorf("%v\n%s", err, out[:min(len(out), 3000)])
	}
}
