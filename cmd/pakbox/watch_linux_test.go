package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pakbox/index/sqlite"
)

// Maps that programs write in two pieces, with a pause longer than the program's patience,
// must not be reported as damaged under --watch: not one that is open all the time, nor one
// that is opened for each piece, nor a known map that is written anew. The index must have
// them when they are complete, and the wait must be reported.
func TestWatchHalfWritten(t *testing.T) {
	t.Setenv(shortWaits, "1")
	s := startServer(t, []string{"index", "--watch", "WORK/maps", "-o", "WORK/index.sqlite"})
	s.saidTimes("1 read", 1)
	maps := filepath.Join(s.work, "maps")
	scripts := map[string]string{
		"open.Map.Gbx":   `exec >"$to"; head -c $half "$from"; sleep 1.5; tail -c +$((half+1)) "$from"`,
		"reopen.Map.Gbx": `head -c $half "$from" >"$to"; sleep 1.5; tail -c +$((half+1)) "$from" >>"$to"`,
		"a.Map.Gbx":      `head -c $half "$from" >"$to"; sleep 1.5; tail -c +$((half+1)) "$from" >>"$to"`,
	}
	from := filepath.Join(s.work, "whole")
	sample := s.read("maps/a.Map.Gbx")
	if err := os.WriteFile(from, sample, 0o666); err != nil {
		t.Fatal(err)
	}
	done := make(chan error, len(scripts))
	for name, script := range scripts {
		cmd := exec.Command("sh", "-c", script)
		cmd.Env = append(os.Environ(), fmt.Sprint("half=", len(sample)/2), "from="+from, "to="+filepath.Join(maps, name))
		go func() { done <- cmd.Run() }()
	}
	begun, left := time.Now(), len(scripts)
	for {
		rows := statuses(t, filepath.Join(s.work, "index.sqlite"))
		for name, status := range rows {
			if status != "ok" {
				t.Fatalf("%s is %s after %v", name, status, time.Since(begun))
			}
		}
		if _, ok := rows["a.Map.Gbx"]; !ok {
			t.Fatalf("the row of the known map is gone after %v", time.Since(begun))
		}
		if left == 0 && len(rows) == len(scripts) {
			break
		}
		if time.Since(begun) > time.Minute {
			t.Fatalf("only %v are in the index", rows)
		}
		select {
		case err := <-done:
			if left--; err != nil {
				t.Fatal(err)
			}
		case <-time.After(100 * time.Millisecond):
		}
	}
	said, err := os.ReadFile(s.outputFile)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"open.Map.Gbx: a program has it open", "not whole, and changed lately"} {
		if !strings.Contains(string(said), want) {
			t.Errorf("no message %q in:\n%s", want, said)
		}
	}
	if strings.Contains(string(said), "status=damaged") {
		t.Errorf("damage was reported:\n%s", said)
	}
}

// A map that stays incomplete must count as damaged, but not before it was unchanged for
// some time.
func TestWatchStaysHalf(t *testing.T) {
	t.Setenv(shortWaits, "1")
	s := startServer(t, []string{"index", "--watch", "WORK/maps", "-o", "WORK/index.sqlite"})
	s.saidTimes("1 read", 1)
	sample := s.read("maps/a.Map.Gbx")
	if err := os.WriteFile(filepath.Join(s.work, "maps", "b.Map.Gbx"), sample[:len(sample)/2], 0o666); err != nil {
		t.Fatal(err)
	}
	begun := time.Now()
	s.saidTimes("counts as damaged", 1)
	s.saidTimes("status=damaged", 1)
	if took := time.Since(begun); took < shortStill {
		t.Errorf("the damage was reported after %v, want at least %v", took, shortStill)
	}
}

// statuses has the status of each file of an index by its name.
func statuses(t *testing.T, file string) map[string]string {
	t.Helper()
	db, err := sqlite.OpenReadOnly(t.Context(), file)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	found, err := db.Query("select name, status from files")
	if err != nil {
		t.Fatal(err)
	}
	defer found.Close()
	all := map[string]string{}
	for found.Next() {
		var name, status string
		if err := found.Scan(&name, &status); err != nil {
			t.Fatal(err)
		}
		all[name] = status
	}
	return all
}
