// Package soak attacks pakbox for a given time and counts what happens. It is tests
// that run for a given time:
//
//	make soak TIME=30m SEED=1
//
// The soak has three parts:
//
//   - fuzz: fuzz.sh runs every fuzz target of every module for the same time.
//   - damage: real files are damaged in every way of kinds_test.go and go through the
//     commands of looks.txt, each in a process of its own. The test looks for panics,
//     hangs, memory above the bound of SECURITY.md, undocumented exit codes, and files
//     outside the target folder.
//   - faults: every command of writers.txt meets a full disk, a short write, a folder
//     without permission, and its own sudden end. Afterwards the old files must be
//     there unchanged, or the new ones complete.
//
// The same seed gives the same damaged files in the same order; the time decides how
// many of them. Every finding is saved with its inputs in soak-findings. A finding that
// is fixed belongs into a regression test.
//
// The tests need Linux, which limits and measures child processes. As root they lock
// the program into a folder (chroot), mount, and fill small disks; other users leave
// that out. Without a time, as in 'make test-all', they try a little of everything.
package soak
