package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// explorerLoad is the name of the part that asks pakbox serve as many people at
// once would, and explorerTime for how long they ask.
const (
	explorerLoad = "explorer/load"
	explorerTime = "60s"
)

// explorer runs internal/tools/load on the maps of the corpus, and keeps its
// table.
func (b *bench) explorer() (string, error) {
	cmd := exec.Command("go", "run", "./internal/tools/load", "-pakbox", b.pakbox,
		"-files", filepath.Join(b.corpus, "gbx", classMap), "-time", explorerTime)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("load: %w", err)
	}
	return string(bytes.TrimSpace(out)), nil
}
