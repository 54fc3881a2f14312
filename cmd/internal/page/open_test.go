package page_test

import (
	"context"
	"fmt"
	"net/url"
	"path/filepath"
	"runtime/debug"
	"strings"
	"sync/atomic"
	"testing"

	"pakbox/archive"
	"pakbox/cmd/internal/page"
	"pakbox/internal/testkit/leak"
	"pakbox/nadeo/gbxarchive"
)

// countingFormat counts how often a GBX file is opened.
type countingFormat struct {
	gbxarchive.Format
	opens *atomic.Int32
}

func (f countingFormat) Open(ctx context.Context, in archive.Input, opts archive.Options) (archive.Archive, error) {
	f.opens.Add(1)
	return f.Format.Open(ctx, in, opts)
}

// All questions about a map share one parsed file, because parsing takes most of the time of
// most answers.
func TestMapIsOpenedOnce(t *testing.T) {
	var opens atomic.Int32
	a := folder(t, map[string][]byte{"a.Map.Gbx": sampleMap(t)}, func(o *page.Options) {
		o.Formats = archive.Registry{countingFormat{opens: &opens}}
	})
	for _, question := range []string{
		"children?", "what?", "info?", "ls?", "verify?", "dump?", "get?value=mapName&", "query?q=.format&", "grep?text=x&", "convert?format=gbx&",
		"map.lint?", "map.size?", "map.deps?", "map.blocks?", "map.scene?", "thumbnail?", "values?", "what?",
	} {
		a.read(question + "path=files/a.Map.Gbx")
		if n := opens.Load(); n != 1 {
			t.Fatalf("after %s the map had been opened %d times, want once", question, n)
		}
	}
}

// The last few files stay open until one changes or the explorer is closed. Their number is
// limited.
func TestOpenFiles(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // a collection would close unused files
	dir := filepath.Join(t.TempDir(), "files")
	for i := range 8 {
		write(t, filepath.Join(dir, fmt.Sprintf("%d.vpk", i)), sample(t, "hello.vpk"))
	}
	data := sampleMap(t)
	write(t, filepath.Join(dir, "a.Map.Gbx"), data)
	write(t, filepath.Join(dir, "cut.Map.Gbx"), data[:len(data)-40])
	write(t, filepath.Join(dir, "tram.pak"), sample(t, "simutrans/vehicle.Sample_Tram.pak"))
	write(t, filepath.Join(dir, "game/Packs/Sample.Pack.Gbx"), sample(t, "Sample.Pack.Gbx"))
	write(t, filepath.Join(dir, "game2/Packs/Sample.Pack.Gbx"), sample(t, "Sample.Pack.Gbx"))
	a := looking(t, []string{dir})
	a.send("drop?name=x", strings.NewReader("x")) // the store of dropped files stays open
	before := leak.OpenFiles()
	if before == 0 {
		return // the system has no list of open files
	}
	open := func(what string, want int) {
		t.Helper()
		if n := leak.OpenFiles() - before; n != want {
			t.Errorf("%s: %d files are open, want %d", what, n, want)
		}
	}
	children := func(i int) {
		a.expect([]expected{{fmt.Sprintf("children?path=files/%d.vpk", i), ".children | length", "4"}})
	}
	for i := range 8 {
		children(i)
		open(fmt.Sprint(i+1, " archives"), min(i+1, 6))
	}
	children(7)
	children(2)
	open("the same again", 6)
	children(0) // replaces the least recently used file
	a.read("children?path=files/2.vpk")
	open("another", 6)
	write(t, filepath.Join(dir, "2.vpk"), sample(t, "Sample.Pack.Gbx"))
	a.expect([]expected{{"children?path=files/2.vpk", ".format", `"nadeopak"`}})
	open("one that has changed", 6)
	forget := func() { a.read("home"); a.send("drop?name=x", strings.NewReader("x")) }
	forget()
	open("after a change", 0)
	children(5)
	open("one after that", 1)
	forget()
	for _, name := range []string{"0.vpk", "0.vpk/readme.txt", "a.Map.Gbx", "a.Map.Gbx/body.bin", "cut.Map.Gbx", "tram.pak", "none", "."} {
		for _, question := range page.Questions(false) {
			path := url.QueryEscape("files/" + name)
			if _, err := a.ask(question + "?path=" + path + "&other=" + path + "&with=" + path + "&q=.&layer=body&value=x&text=x").Read(); err != nil {
				t.Errorf("%s of %s: %v", question, name, err)
			}
			forget()
			open(question+" of "+name, 0)
		}
	}
	for range 2 {
		a.read("map.mesh?path=files/a.Map.Gbx&game=files/game")
		a.read("map.mesh?path=files/a.Map.Gbx&game=files/game2")
		forget()
		open("a game", 1)
	}
	children(1)
	a.Close()
	open("closed", 0)
}
