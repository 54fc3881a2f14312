package walk

import (
	"bytes"
	"fmt"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"pakbox/internal/testkit/corpus"
	"pakbox/internal/testkit/peer"
	"pakbox/internal/testkit/tier"
)

// trip is a walk through the page over a folder: of pakbox serve, or of the
// static site.
type trip struct {
	*tab
	dir  string // the folder in the file system
	root string // and on the page
}

// at is the address of a file of the folder.
func (w *trip) at(name, query string) string {
	return "#/" + w.root + "/" + name + query
}

// commandJSON is the output of a command about a file of the folder with --json.
func (w *trip) commandJSON(name string, command ...string) map[string]any {
	w.Helper()
	return printedJSON(w.T, append(command, filepath.Join(w.dir, name))...)
}

// screen is one screen on real files: its address, and what must hold there.
type screen struct {
	name string
	at   func(w *trip) string
	hold func(w *trip)
}

func file(name, query string) func(w *trip) string {
	return func(w *trip) string { return w.at(name, query) }
}

var screens = []screen{
	{"home", func(*trip) string { return "#/" }, (*trip).home},
	{"map", file("map.Map.Gbx", ""), (*trip).aMap},
	{"map-items", file("items.Map.Gbx", ""), func(w *trip) { w.pictures() }},
	{"3d", file("items.Map.Gbx", "?tab=3d"), (*trip).space},
	{"blocks", file("map.Map.Gbx", "?tab=blocks"), (*trip).blocks},
	{"bytes", file("map.Map.Gbx", "?tab=bytes"), (*trip).bytes},
	{"query", file("map.Map.Gbx", "?tab=query&q=.header.classID"), (*trip).query},
	{"check", file("map.Map.Gbx", "?tab=check"), func(w *trip) { w.contains("main", "Everything is as it should be") }},
	{"files", file("map.Map.Gbx", "?tab=files"), func(w *trip) { w.contains("main", "thumbnail.jpg") }},
	{"replay", file("run.Replay.Gbx", ""), (*trip).replay},
	{"runs", file("runs.Replay.Gbx", "?ghosts=0,1,2,3"), (*trip).runs},
	{"compare", file("runs.Replay.Gbx", "?tab=compare"), (*trip).compare},
	{"ghost", file("ghost.Ghost.Gbx", ""), func(w *trip) { w.contains("main", "not a proof of the drive") }},
	{"block", file("block.Block.Gbx", ""), (*trip).mesh},
	{"folder", func(w *trip) string { return "#/" + w.root }, (*trip).folder},
	{"pack", file("pack.Pack.Gbx", ""), func(w *trip) { w.contains("main", "Media") }},
	{"vpk", file("plain.vpk", ""), func(w *trip) { w.listed("plain.vpk") }},
	{"eix", file("metin.eix", ""), func(w *trip) { w.contains("main", "locale") }},
	{"dds", file("picture.dds", ""), (*trip).texture},
	{"tga", file("picture.tga", ""), (*trip).texture},
	{"text", file("korean.txt", ""), func(w *trip) { w.contains("main", "가나다"); w.contains("main", "CP949") }},
	{"simutrans", file("objects.pak", "?object=vehicle.test_truck"), (*trip).objects},
	{"vehicles", func(w *trip) string { return "#/" + w.root + "?tab=vehicles" }, func(w *trip) { w.contains("main", "test_truck"); w.contains("#status", "vehicle") }},
	{"findings", func(w *trip) string { return "#/" + w.root + "?tab=findings" }, (*trip).findings},
	{"diff", func(w *trip) string {
		return "#:diff?a=" + w.root + "/map.Map.Gbx&b=" + w.root + "/other.Map.Gbx"
	}, (*trip).diff},
	{"diff-archives", func(w *trip) string {
		return "#:diff?a=" + w.root + "/left.vpk&b=" + w.root + "/right.vpk"
	}, (*trip).diffArchives},
	{"inside", file("map.Map.Gbx", "?tab=bytes&layer=inside-0"), (*trip).inside},
	{"damaged", file("damaged.Block.pak", ""), (*trip).damaged},
	{"damaged-map", file("cut.Map.Gbx", ""), (*trip).damagedMap},
	{"missing", file("nothing.Gbx", ""), (*trip).missing},
}

// onSite names the screens that the walk of the static site visits. The others are the
// same code as on the served page, and their answers come from the same questions.
var onSite = []string{"home", "map", "bytes", "replay", "folder", "vpk", "simutrans", "diff", "missing"}

// TestServe walks through every screen of pakbox serve.
func TestServe(t *testing.T) {
	t.Parallel()
	dir := folder(t)
	ten := tenRuns(t, filepath.Join(dir, "runs.Replay.Gbx"))
	index := indexed(t, dir)
	w := &trip{tab: open(t, served(t, "--index", index, dir, ten)), dir: dir, root: "files"}
	homeCollection := screen{"home-collection", func(*trip) string { return "#/" }, (*trip).homeCollection}
	w.walk(slices.Concat(screens, []screen{homeCollection}, collectionScreens(index, "#:collection")), (*trip).apart, (*trip).looks)
	t.Run("ten-runs", func(t *testing.T) { w.apart(t).tenRuns(ten) })
	w.walk([]screen{{"game", file("items.Map.Gbx", "?tab=3d"), (*trip).game}}, (*trip).apart, (*trip).looks)
	t.Run("navigation", func(t *testing.T) { w.apart(t).navigation() })
	t.Run("keyboard", func(t *testing.T) { w.apart(t).keyboard() })
	t.Run("phone", func(t *testing.T) { w.apart(t).twoLines() })
	t.Run("hostile", func(t *testing.T) { w.apart(t).hostile() })
	t.Run("unlock", func(t *testing.T) { w.apart(t).unlock() })
	w.changeAll()
	t.Run("undo", func(t *testing.T) { w.within(t).undo() })
	t.Run("together", func(t *testing.T) { w.within(t).together() })
	t.Run("drop", func(t *testing.T) { w.apart(t).dropAnywhere() })
	t.Run("print", func(t *testing.T) { w.apart(t).printing() })
	t.Run("searches", func(t *testing.T) { w.apart(t).savedSearches("#:collection") })
	t.Run("reload", func(t *testing.T) { w.apart(t).reload() })
	t.Run("large", func(t *testing.T) { w.apart(t).large() })
}

// TestSite walks through screens of the static site, whose only server hands out files.
func TestSite(t *testing.T) {
	t.Parallel()
	peer.Program(t, "chromium", "chromium")
	dir, out := folder(t), t.TempDir()
	build := exec.Command("sh", "cmd/tools/run", "site", "-quick", "-o", out)
	build.Dir = filepath.Join("..", "..", "..", "..")
	if said, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	var sqliteAsked atomic.Int32 // how often the page fetched SQLite, and not what keeps the site for later
	files := http.FileServerFS(os.DirFS(out))
	server := httptest.NewServer(http.HandlerFunc(func(answer http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/sqlite.js" && !strings.HasSuffix(r.Referer(), "/offline.js") {
			sqliteAsked.Add(1)
		}
		files.ServeHTTP(answer, r)
	}))
	t.Cleanup(server.Close)
	w := &trip{tab: open(t, server.URL+"/"), dir: dir, root: "dropped"}
	w.drop()
	w.firstScreen()
	w.walk(slices.DeleteFunc(slices.Clone(screens), func(s screen) bool { return !slices.Contains(onSite, s.name) }), (*trip).within, func(*trip, screen) {})
	t.Run("navigation", func(t *testing.T) { w.within(t).navigation() })
	t.Run("hostile", func(t *testing.T) { w.within(t).hostile() })
	t.Run("unlock", func(t *testing.T) { w.within(t).unlock() })
	w.changeAll()
	t.Run("undo", func(t *testing.T) { w.within(t).undo() })
	t.Run("kept", func(t *testing.T) { w.within(t).keptAfterReload() })
	t.Run("drop", func(t *testing.T) { w.within(t).dropAnywhere() })
	if sqliteAsked.Load() > 0 {
		t.Error("SQLite is fetched, and nobody has opened an index")
	}
	w.siteIndex()
	if sqliteAsked.Load() == 0 {
		t.Error("an index was opened, and SQLite was not fetched")
	}
	t.Run("offline", func(t *testing.T) { w.within(t).offline(server) })
}

// drop hands the files of the folder to the page, as a person chooses them.
func (w *trip) drop() {
	w.Helper()
	list, err := os.ReadDir(w.dir)
	if err != nil {
		w.Fatal(err)
	}
	var names []string
	for _, e := range list {
		names = append(names, filepath.Join(w.dir, e.Name()))
	}
	w.upload("#choose", names...)
	w.wait(`location.hash === "#/dropped"`)
	w.settle()
	w.contains("#status", fmt.Sprintf("%d here", len(list))) // only the rows in sight are in the page
	taken := eval[[]string](w.tab, `import(new URL("lib/api.js", location.origin + "/")).then((a) => a.ask("children", { path: "dropped" })).then((c) => c.children.map((f) => f.name))`)
	for _, e := range list {
		if !slices.Contains(taken, e.Name()) {
			w.Errorf("%s is not there", e.Name())
		}
	}
}

// firstScreen states how long a visitor who was never here waits for a map of 600 kB:
// from the empty tab to the map's name, to all its facts, and to the last picture of it.
func (w *trip) firstScreen() {
	start := time.Now()
	visitor := open(w.T, w.base)
	visitor.upload("#choose", filepath.Join(corpus.Dir(w.T, "gbx"), "03043000", "4c6acf6dd9cf.Map.Gbx"))
	visitor.wait(`document.querySelector(".map-head h1")`)
	if name, told := visitor.text(".map-head h1"), visitor.text(".map-medals"); name != "Tiger Blood" || !strings.Contains(told, "0:47.724") {
		w.Errorf("the first name is %q, with the times %q", name, told)
	}
	told := time.Since(start)
	visitor.wait(`document.querySelector(".map-thumbnail img")?.naturalWidth > 0`)
	known := time.Since(start)
	visitor.settle()
	visitor.calm()
	w.Logf("from an empty tab to the first map's name: %v, its facts and thumbnail %v, all its pictures %v", told.Round(time.Millisecond), known.Round(time.Millisecond), time.Since(start).Round(time.Millisecond))
}

// within is the same walk in a test of its own.
func (w *trip) within(t *testing.T) *trip {
	inner := *w
	inner.tab = &tab{T: t, ctx: w.ctx, address: w.address, base: w.base, notes: w.notes}
	return &inner
}

// apart is the same walk in a test of its own, in a tab of its own, for what needs nothing
// that other tests left in the tab.
func (w *trip) apart(t *testing.T) *trip {
	inner := *w
	inner.tab = open(t, w.address)
	return &inner
}

// walk visits screens, each in the tab that tab returns.
func (w *trip) walk(list []screen, tab func(w *trip, t *testing.T) *trip, after func(w *trip, s screen)) {
	for _, s := range list {
		w.Run(s.name, func(t *testing.T) {
			w := tab(w, t)
			w.size(1280, "light")
			w.visit(s.at(w))
			s.hold(w)
			w.calm()
			after(w, s)
		})
	}
}

// looks looks at a screen at two widths and in both themes; the long tier in each pair.
func (w *trip) looks(s screen) {
	for i, look := range []struct {
		width int64
		theme string
	}{{400, "dark"}, {1280, "light"}, {1280, "dark"}, {400, "light"}} {
		if i >= 2 && !tier.IsLong() {
			break
		}
		w.size(look.width, look.theme)
		w.shoot(fmt.Sprintf("%s-%d-%s", s.name, look.width, look.theme))
		w.accessible(fmt.Sprintf("%s at %d, %s", s.name, look.width, look.theme))
		if wide := eval[int](w.tab, "document.documentElement.scrollWidth"); int64(wide) > look.width {
			w.Errorf("at %d pixels the page is %d wide", look.width, wide)
		}
	}
}

// pictures waits until all pictures are there.
func (w *trip) pictures() {
	w.Helper()
	w.wait(`document.querySelector("main [aria-busy=true]") === null`)
	w.wait(`document.querySelectorAll("main img").length > 0 && [...document.querySelectorAll("main img")].every((i) => i.hidden || i.complete && i.naturalWidth > 0)`)
}

func (w *trip) home() {
	w.contains("main", "Drop files or folders anywhere")
	w.unfold()
	for _, format := range []string{"gbx", "vpk42", "eterpack", "nadeopak", "simutrans"} {
		w.contains("main", format)
	}
}

func (w *trip) aMap() {
	info := w.commandJSON("map.Map.Gbx", "info")
	w.wait(`document.querySelectorAll(".map-needs li").length > 0 && document.querySelector(".map-verdicts") !== null`)
	w.unfold()
	for _, name := range []string{"uid", "environment", "class_name"} {
		if v, ok := info[name].(string); ok {
			w.contains("main", v)
		}
	}
	w.contains("main", "0:05.978") // the author's time, as info prints it
	w.contains(".map-medals", "Gold 0:07.000")
	w.contains("#command", "pakbox info")
	// The page also has the answers of the other commands.
	size := w.commandJSON("map.Map.Gbx", "map", "size")["parts"].([]any)
	w.wait(`document.querySelectorAll(".map-split table tr").length > 1`)
	for _, part := range size[0].(map[string]any)["parts"].([]any)[:2] { // of the body
		w.contains(".map-split", part.(map[string]any)["name"].(string))
	}
	for _, d := range w.commandJSON("map.Map.Gbx", "map", "deps")["dependencies"].([]any) {
		w.contains(".map-needs", d.(map[string]any)["path"].(string))
	}
	findings := w.commandJSON("map.Map.Gbx", "map", "lint")["findings"].([]any)
	for _, f := range findings {
		w.contains(".map-split", f.(map[string]any)["message"].(string))
	}
	if len(findings) == 0 {
		w.contains(".map-split", "No problems found")
	}
	w.pictures()
}

func (w *trip) space() {
	w.wait(`Number(document.querySelector(".scene")?.dataset.frames) > 0`)
	w.contains("main", "Schematic")
	// A click near the middle of the view hits an object, and shows its name. The middle
	// itself may be a gap of the map.
	middle := eval[[]float64](w.tab, `(() => { const r = document.querySelector(".scene-canvas").getBoundingClientRect(); return [r.left + r.width / 2, r.top + r.height / 2]; })()`)
	aside := 0.0
	if !until(func() bool { // the first frames may show the map from elsewhere
		w.do(chromedp.MouseClickXY(middle[0]+aside, middle[1]+aside))
		aside = math.Mod(aside+10, 60)
		return eval[bool](w.tab, `document.querySelector(".scene-about dl") !== null`)
	}) {
		w.Fatal("a click near the middle hits nothing")
	}
	w.chosen()
	// Colours follow the choice, and a whole map is saved as the command saves it.
	drawn := eval[int](w.tab, `Number(document.querySelector(".scene").dataset.frames)`)
	w.choose(`select[aria-label="Colour by"]`, "name")
	w.wait(fmt.Sprintf(`Number(document.querySelector(".scene").dataset.frames) > %d && location.hash.includes("by=name")`, drawn))
	w.contains("#command", "pakbox map mesh")
	made := filepath.Join(w.TempDir(), "items.glb")
	if out, err := exec.Command(program, "map", "mesh", filepath.Join(w.dir, "items.Map.Gbx"), "-o", made).CombinedOutput(); err != nil {
		w.Fatalf("%v\n%s", err, out)
	}
	if got := w.asked("map.mesh", "items.Map.Gbx"); !bytes.Equal(got, w.read(made)) {
		w.Errorf("the page saves %d bytes of glTF, the command others", len(got))
	}
}

// game: the folder of a game is named beside the map, and has a place in the
// address and the command.
func (w *trip) game() {
	w.wait(`Number(document.querySelector(".scene")?.dataset.frames) > 0`)
	w.enter(`input[aria-label="Game folder"]`, w.root+"/nothing")
	w.do(chromedp.KeyEvent(kb.Enter))
	w.contains("#status", "no such file")
	w.enter(`input[aria-label="Game folder"]`, w.root)
	w.do(chromedp.KeyEvent(kb.Enter))
	w.contains("#status", "with the shapes of "+w.root)
	w.contains("#command", "--game "+w.root)
}

// chosen compares the page's description of the clicked block or item with
// the list of the command.
func (w *trip) chosen() {
	w.Helper()
	rows := eval[map[string]string](w.tab, `Object.fromEntries([...document.querySelectorAll(".scene-about dt")].map((t) => [t.innerText, t.nextElementSibling.innerText]))`)
	kind, number := "block", rows["Block"]
	if number == "" {
		kind, number = "item", rows["Item"]
	}
	n, err := strconv.Atoi(number)
	if err != nil {
		w.Fatalf("no block is described: %v", rows)
	}
	for _, b := range w.commandJSON("items.Map.Gbx", "map", "blocks", "--items")["blocks"].([]any) {
		b := b.(map[string]any)
		if b["kind"] != kind {
			continue
		}
		if n--; n >= 0 {
			continue
		}
		if rows["Name"] != b["name"] || kind == "block" && rows["Flags"] != b["flags"] {
			w.Errorf("the page shows %v, the command %v", rows, b)
		}
		return
	}
	w.Errorf("the map has no %s %s", kind, number)
}

func (w *trip) blocks() {
	n := len(w.commandJSON("map.Map.Gbx", "map", "blocks", "--items")["blocks"].([]any))
	w.contains("#status", fmt.Sprintf("%d of %d", n, n))
	w.enter("[data-search]", "startline")
	w.wait(`document.querySelector("#status").innerText.startsWith("1 of")`)
	w.contains("main", "StadiumRoadMainStartLine")
}

func (w *trip) bytes() {
	// Open the body, choose its first chunk, and see its bytes marked.
	w.wait(`document.querySelectorAll("[role=treeitem]").length > 2`)
	w.focus("[role=tree]", kb.ArrowDown, kb.ArrowRight)
	w.wait(`document.querySelectorAll("[role=treeitem]").length > 2`)
	w.do(chromedp.KeyEvent(kb.ArrowDown))
	w.wait(`document.querySelector("#command").innerText.includes("pakbox get")`)
	// A search marks what it finds, and the tree shows whose it is.
	w.enter("[data-search]", "StadiumRoadMainStartLine")
	w.do(chromedp.KeyEvent(kb.Enter))
	w.wait(`document.querySelector("#status").innerText.startsWith("at 0x")`)
}

func (w *trip) query() {
	w.wait(`document.querySelector("main pre").innerText.length > 0`)
	w.contains("main pre", "03043000")
	w.enter("[data-search]", "[.header.chunks[]] | length")
	w.wait(`/^[0-9]+$/.test(document.querySelector("main pre").innerText.trim())`)
	w.enter("[data-search]", ".[")
	w.wait(`document.querySelector("main pre").classList.contains("bad")`)
}

func (w *trip) replay() {
	info := w.commandJSON("run.Replay.Gbx", "replay", "info")
	ghost := info["ghosts"].([]any)[0].(map[string]any)
	w.contains("main", clock(ghost["race_time"]))
	w.wait(`document.querySelectorAll(".replay-lines path").length > 1`)
	w.wait(`document.querySelectorAll(".lane-plot").length >= 2`)
	// Play moves the car and the clock.
	w.wait(`document.querySelector(".plan-car")?.hasAttribute("cx")`)
	before := eval[string](w.tab, `document.querySelector(".plan-car").getAttribute("cx")`)
	w.press("main", "Play")
	w.wait(`document.querySelector("main output").innerText > "0:00.300"`)
	w.wait(fmt.Sprintf(`document.querySelector(".plan-car").getAttribute("cx") !== %s`, quote(before)))
	w.press("main", "Pause")
	w.contains("main", "not a proof of the drive")
}

func (w *trip) runs() {
	ghosts := w.commandJSON("runs.Replay.Gbx", "replay", "info")["ghosts"].([]any)
	for _, g := range ghosts {
		w.contains("main", clock(g.(map[string]any)["race_time"]))
	}
	w.wait(`document.querySelectorAll(".plan-car").length > 1`)
	// The same lines in three dimensions.
	w.choose(`select[aria-label="View"]`, "3d")
	w.wait(`Number(document.querySelector(".scene")?.dataset.frames) > 0`)
}

// clock is a time as the page shows it.
func clock(ms any) string {
	n, _ := ms.(float64)
	d := int(n)
	return fmt.Sprintf("%d:%02d.%03d", d/60000, d/1000%60, d%1000)
}

// missing is a file that is not there. A link to a dropped file asks for the file.
func (w *trip) missing() {
	if w.root == "dropped" {
		w.contains("main h1", "Drop nothing.Gbx to see this view")
		return
	}
	w.contains("[role=alert]", "no such file")
}

func (w *trip) mesh() {
	info := w.commandJSON("block.Block.Gbx", "info")
	w.contains("#status", fmt.Sprintf("%.0f triangles", info["triangle_count"]))
	w.wait(`Number(document.querySelector(".scene")?.dataset.frames) > 0`)
	w.pictures()
}

// folder: files are tiles with pictures of their own, or a table with a look at one.
func (w *trip) folder() {
	w.press("main", "Tiles")
	w.pictures()
	map1 := w.commandJSON("map.Map.Gbx", "info")
	w.contains(`.tile-link[href$="/map.Map.Gbx"]`, map1["name"].(string))
	w.contains(`.tile-link[href$="/map.Map.Gbx"]`, "0:05.978")
	w.click(`input[aria-label="Choose map.Map.Gbx"]`)
	w.press(".folder-chosen", "Check")
	w.contains(".folder-chosen", "All fine")
	w.enter("[data-search]", "run.replay") // so that it is in sight
	w.wait(`document.querySelector('.tile-link[href$="/run.Replay.Gbx"] .tile-line') !== null`)
	w.press("main", "Table")
	w.enter("[data-search]", " ")
	w.contains("main", "map.Map.Gbx")
	w.enter("[data-search]", "replay")
	w.wait(`document.querySelector("#status").innerText.startsWith("2 of")`)
	w.enter("[data-search]", "map.map")
	w.wait(`document.querySelector("#status").innerText.startsWith("1 of")`)
	w.focus(".list-body", kb.ArrowDown)
	w.contains(".folder-side", w.commandJSON("map.Map.Gbx", "info")["uid"].(string))
}

// listed compares what the page lists with what ls does.
func (w *trip) listed(name string) {
	for _, e := range w.commandJSON(name, "ls")["entries"].([]any) {
		first, _, _ := strings.Cut(e.(map[string]any)["name"].(string), "/")
		w.contains("main", first)
	}
}
