//go:build !unix

package main

import "github.com/rogpeppe/go-internal/testscript"

// asUser: only the scripts for Unix try permissions.
func asUser(ts *testscript.TestScript, neg bool, args []string) {
	ts.Fatalf("permissions cannot be tried on this system")
}
