package main

import (
	"embed"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

//go:embed peers
var peers embed.FS

// The peers from npm, under names of their own because both are called gbx.
var npmPeers = []string{"gbx-js@npm:gbx@0.6.0", "gbx-ts@npm:gbx@1.0.0-rc12", "lzo-ts@0.2.3"}

// tools are the programs to compare with, "" where they are not there.
type tools struct {
	launcher string // peers/launch.c
	lzo      string // peers/lzo.c
	gbx      string // peers/gbx.mjs
	modules  string // where npm's packages are
	makeobj  string
}

// findTools builds and fetches what is not there by itself. What cannot be had
// is missing, and the rows say so.
func (b *bench) findTools() (t tools) {
	t.launcher = b.compile("launch.c")
	t.lzo = b.compile("lzo.c", "-l:liblzo2.so.2")
	t.makeobj = program("makeobj", "/usr/games/makeobj")
	if program("node") == "" {
		return t
	}
	cache := os.Getenv("PAKBOX_BENCH_PEERS")
	if cache == "" {
		dir, err := os.UserCacheDir()
		if err != nil {
			return t
		}
		cache = filepath.Join(dir, "pakbox-bench")
	}
	if _, err := os.Stat(filepath.Join(cache, "node_modules", "gbx-ts")); err != nil {
		args := append([]string{"install", "--no-audit", "--no-fund", "--prefix", cache}, npmPeers...)
		if out, err := exec.Command("npm", args...).CombinedOutput(); err != nil {
			b.note("npm: %v: %s", err, lastLine(out))
			return t
		}
	}
	t.modules = cache
	t.gbx = b.unpack("gbx.mjs")
	return t
}

// program finds the first of some programs.
func program(names ...string) string {
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	return ""
}

// unpack writes a peer's source into the temporary folder.
func (b *bench) unpack(name string) string {
	data, err := peers.ReadFile("peers/" + name)
	if err != nil {
		return ""
	}
	path := b.path(name)
	if os.WriteFile(path, data, 0o644) != nil {
		return ""
	}
	return path
}

// compile builds a program in C.
func (b *bench) compile(name string, libraries ...string) string {
	compiler := program("cc", "gcc", "clang")
	if compiler == "" {
		return ""
	}
	out := b.path(strings.TrimSuffix(name, ".c"))
	args := append([]string{"-O2", "-o", out, b.unpack(name)}, libraries...)
	if text, err := exec.Command(compiler, args...).CombinedOutput(); err != nil {
		b.note("%s: %v: %s", name, err, lastLine(text))
		return ""
	}
	return out
}

// peer is a command of a program that may not be there.
func peer(name, program string, args ...string) command {
	c := command{name: name, args: append([]string{program}, args...)}
	if _, err := exec.LookPath(program); err != nil {
		c.missing = "peer missing"
	}
	return c
}

// floor is a command that does only what cannot be avoided.
func floor(name, program string, args ...string) command {
	c := peer(name, program, args...)
	c.floor = true
	return c
}
