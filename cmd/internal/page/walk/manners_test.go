package walk

import (
	"bytes"
	"fmt"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// dropped drops files or folders of this computer on the middle of the page.
func (w *trip) dropped(paths ...string) {
	w.Helper()
	for _, step := range []input.DispatchDragEventType{"dragEnter", "dragOver", "drop"} {
		if _, err := chromedp.Call(w.ctx, input.DispatchDragEvent, input.DispatchDragEventParams{
			Type: step, X: 500, Y: 400, Data: &input.DragData{Items: []*input.DragDataItem{}, Files: paths, DragOperationsMask: 1},
		}); err != nil {
			w.Fatal(err)
		}
	}
}

// dropAnywhere: a file and a folder can be dropped on any screen.
func (w *trip) dropAnywhere() {
	const name = "dropped here.Map.Gbx"
	data := w.read(filepath.Join(w.dir, "map.Map.Gbx"))
	for i, screen := range []string{"#/", w.at("run.Replay.Gbx", ""), w.at("plain.vpk", "")} {
		w.visit(screen)
		file := filepath.Join(w.TempDir(), fmt.Sprintf("%d %s", i, name))
		write(w.T, file, data)
		w.dropped(file)
		w.wait(fmt.Sprintf(`decodeURIComponent(location.hash) === %s`, quote("#/dropped/"+filepath.Base(file))))
		w.wait(`document.querySelector(".map-head h1") !== null`)
	}
	dir := filepath.Join(w.TempDir(), "box")
	if err := os.MkdirAll(filepath.Join(dir, "below"), 0o777); err != nil {
		w.Fatal(err)
	}
	write(w.T, filepath.Join(dir, "one.Map.Gbx"), data)
	write(w.T, filepath.Join(dir, "below", "two.txt"), []byte("two"))
	w.visit(w.at("map.Map.Gbx", "?tab=blocks"))
	w.dropped(dir)
	w.wait(`location.hash.startsWith("#/dropped/box")`)
	w.visit("#/dropped/box")
	w.contains("main", "one.Map.Gbx")
	w.visit("#/dropped/box/below/two.txt")
	w.contains("main", "two")
	w.calm()
}

// printing: on paper there is what the page is about, and none of its buttons.
func (w *trip) printing() {
	w.visit(w.at("map.Map.Gbx", ""))
	w.pictures()
	media := func(name string) {
		if _, err := chromedp.Call(w.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: name}); err != nil {
			w.Fatal(err)
		}
	}
	media("print")
	w.wait(`document.querySelector("main h1").checkVisibility() && [...document.querySelectorAll(".top, .tabs, .bottom, button")].every((e) => !e.checkVisibility())`)
	media("")
	made, err := chromedp.Call(w.ctx, page.PrintToPDF, page.PrintToPDFParams{})
	if err != nil {
		w.Fatal(err)
	}
	if pdf := made.Data; !bytes.HasPrefix(pdf, []byte("%PDF-")) || len(pdf) < 20_000 {
		w.Errorf("%d bytes on paper", len(pdf))
	}
	w.calm()
}

// savedSearches: a search that is kept is there after a reload, and can be forgotten.
func (w *trip) savedSearches(address string) {
	const words = "kind=replay"
	w.visit(address)
	w.enter("[data-search]", words)
	w.wait(`document.querySelector(".gallery .tile-link") !== null && location.hash.includes("replay")`)
	eval[any](w.tab, `document.querySelector(".collection-tools").open = true; null`)
	w.press("main", "Keep this search")
	w.contains(".saved", words)
	w.do(chromedp.Reload())
	w.settle()
	w.visit(address)
	w.enter("[data-search]", " ")
	w.contains(".saved", words)
	w.press(".saved", words)
	w.wait(fmt.Sprintf(`document.querySelector("[data-search]").value === %s`, quote(words)))
	eval[any](w.tab, fmt.Sprintf(`document.querySelector(%s).click(); null`, quote(`.saved [aria-label="Forget `+words+`"]`)))
	w.wait(`document.querySelector(".saved").hidden`)
	w.calm()
}

// together: chosen maps are renamed by a pattern and get their names back, and chosen
// files are saved.
func (w *trip) together() {
	for _, name := range []string{"both a.Map.Gbx", "both b.Map.Gbx"} {
		write(w.T, filepath.Join(w.dir, name), w.read(filepath.Join(w.dir, "meta.Map.Gbx")))
	}
	old := w.commandJSON("both a.Map.Gbx", "info")["name"].(string)
	w.visit("#/" + w.root + "?filter=both")
	w.press("main .choice", "Tiles")
	w.wait(`document.querySelectorAll(".tile-choose input").length === 2`)
	eval[any](w.tab, `document.querySelectorAll(".tile-choose input").forEach((b) => b.click()); null`)
	w.contains(".folder-chosen", "2 chosen")
	w.press(".folder-chosen", "Save pictures")
	w.contains(".folder-result", "2 files saved")
	w.press(".folder-chosen", "Rename…")
	w.enter("dialog[open] input", "{nothing}")
	w.press("dialog[open]", "Rename")
	w.contains("dialog[open]", "Unknown fact {nothing}")
	w.enter("dialog[open] input", "Heat {number}")
	w.press("dialog[open]", "Rename")
	w.named("Heat 1", "Heat 2")
	w.contains("#undo", "2 maps renamed.")
	w.press("#undo", "Undo")
	w.contains("#undo", "2 changes: taken back")
	w.named(old, old)
	w.calm()
}

// named: the two maps of together have these names.
func (w *trip) named(names ...string) {
	w.Helper()
	for i, name := range []string{"both a.Map.Gbx", "both b.Map.Gbx"} {
		want := names[i]
		if !until(func() bool { return w.commandJSON(name, "info")["name"] == want }) {
			w.Errorf("%s is not called %s", name, want)
		}
	}
}

// offline: after the first visit the site opens without its server, and answers.
func (w *trip) offline(server *httptest.Server) {
	w.wait(`navigator.serviceWorker.controller !== null`)
	if !until(func() bool {
		return eval[bool](w.tab, `caches.open("pakbox-site").then((c) => Promise.all([c.match("pakbox.wasm.br"), c.match("sqlite.wasm.br")])).then((all) => all.every(Boolean))`)
	}) {
		w.Fatal("the site is not kept")
	}
	server.CloseClientConnections()
	server.Close()
	w.do(chromedp.Reload())
	w.settle()
	w.visit(w.at("run.Replay.Gbx", ""))
	w.wait(`document.querySelector("main h1") !== null`)
	if text := w.text("main"); strings.Contains(text, "does not answer") {
		w.Error(text)
	}
	w.visit(droppedIndex + "?q=kind%3Dreplay")
	w.wait(`document.querySelector('.gallery .tile-link[href$="/run.Replay.Gbx"]') !== null`) // its tile is called like the map
}
