package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// The bill of materials of a program names the modules that 'go version -m' names.
func TestBillOfMaterials(t *testing.T) {
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	text, err := billOfMaterials(program)
	if err != nil {
		t.Fatal(err)
	}
	var bill struct {
		Components []struct{ Name, Version string }
	}
	if err := json.Unmarshal(text, &bill); err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, c := range bill.Components {
		got[c.Name] = c.Version
	}
	out, err := exec.Command("go", "version", "-m", program).Output()
	if err != nil {
		t.Fatal(err)
	}
	modules := 0
	for line := range strings.Lines(string(out)) {
		if f := strings.Fields(line); len(f) >= 3 && f[0] == "dep" {
			modules++
			if v, ok := got[f[1]]; !ok || v != f[2] && f[2] != "v0.0.0" {
				t.Errorf("%s %s is %q in the bill", f[1], f[2], v)
			}
		}
	}
	if modules+1 != len(bill.Components) || got["std"] == "" {
		t.Errorf("%d components for %d modules and Go's library", len(bill.Components), modules)
	}
}
