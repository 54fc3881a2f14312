package main

import (
	"os"
	"os/exec"
	"testing"
)

// TestFullOutput: a command whose answer cannot be printed has not answered,
// also if the answer is a difference.
func TestFullOutput(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer full.Close()
	for _, args := range [][]string{{"ls", "../../samples/hello.vpk"}, {"diff", "../../samples/hello.vpk", "testdata"}, {"help"}} {
		cmd := exec.Command("pakbox", args...)
		cmd.Stdout = full
		if cmd.Run(); cmd.ProcessState.ExitCode() != 3 {
			t.Errorf("%s: exit code %d, want 3", args[0], cmd.ProcessState.ExitCode())
		}
	}
}
