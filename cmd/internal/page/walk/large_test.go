package walk

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"pakbox/gbx"
	"pakbox/nadeo/maps"
)

// Sizes of what is made to see that the page stays usable.
const (
	manyBlocks = 20_000
	manyValues = 100_000
	largeBody  = 50 << 20
)

// makeLarge makes the large files: a map of many blocks, one that has a list of
// many values, and one whose body is large.
func makeLarge(t *testing.T, dir string) {
	t.Helper()
	for name, blocks := range map[string]int{"blocks.Map.Gbx": manyBlocks, "values.Map.Gbx": manyValues} {
		m := newMap(t)
		if err := m.AddBlock(track(blocks)...); err != nil {
			t.Fatal(err)
		}
		writeMap(t, filepath.Join(dir, name), m)
	}
	m := newMap(t)
	noise := make([]byte, largeBody)
	random := rand.NewChaCha8([32]byte{42})
	random.Read(noise)
	// A chunk that no sheet names: it is carried along as it is.
	m.File.Body.Chunks = append(m.File.Body.Chunks, gbx.Chunk{ID: 0x030430F0, Skip: true, Body: &gbx.Opaque{Bytes: noise}})
	writeMap(t, filepath.Join(dir, "body.Map.Gbx"), m)
}

func newMap(t *testing.T) *maps.Map {
	t.Helper()
	m, err := maps.New(maps.Options{Name: "Large", UID: "walk000000000000000000large"})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func writeMap(t *testing.T, name string, m *maps.Map) {
	t.Helper()
	data, err := m.File.Encode()
	if err != nil {
		t.Fatal(err)
	}
	write(t, name, data)
}

// track is a city of so many blocks: every place of the ground has some above
// each other.
func track(n int) []maps.Block {
	names := []string{"RoadTechStraight", "RoadDirtStraight", "PlatformGrassBase", "PlatformIceBase", "PlatformPlasticBase", "RoadTechCheckpoint"}
	blocks := make([]maps.Block, n)
	for i := range blocks {
		kind := (i/7 + i/48) % (len(names) - 1)
		blocks[i] = maps.Block{Coord: gbx.Int3{X: int32(i % 48), Y: int32(9 + i/(48*48)%30), Z: int32(i / 48 % 48)}, Direction: i % 4, Color: i % 6}
		if i%500 == 499 {
			kind, blocks[i].Waypoint = len(names)-1, "Checkpoint"
		}
		blocks[i].Name = names[kind]
	}
	return blocks
}

// frames makes the page do something in each of n frames, and returns how long one
// takes on average and at most.
func (w *trip) frames(n int, step string) string {
	w.Helper()
	took := eval[[]float64](w.tab, fmt.Sprintf(`(async () => {
		const step = (i, n) => { %s }, frame = () => new Promise(requestAnimationFrame), n = %d;
		let worst = 0, last = await frame();
		const start = last;
		for (let i = 0; i < n; i++) { step(i, n); const now = await frame(); worst = Math.max(worst, now - last); last = now; }
		return [(last - start) / n, worst];
	})()`, step, n))
	return fmt.Sprintf("a frame takes %.0f ms, at most %.0f ms", took[0], took[1])
}

// large: the large files can be opened, rotated, listed and scrolled. The speed
// is logged, and documented in docs/evidence/explorer.md; the test checks that every step
// has an effect.
func (w *trip) large() {
	makeLarge(w.T, w.dir)
	w.size(1280, "light")
	w.visit("#/" + w.root + "?filter=.map.gbx")
	w.press("main", "Tiles")
	w.pictures() // those of the large ones too
	w.largeScene("blocks.Map.Gbx", manyBlocks)
	w.largeTable()
	w.largeTree()
	w.largeBody()
	w.calm()
}

// largeScene turns a map of many blocks.
func (w *trip) largeScene(name string, blocks int) {
	w.Helper()
	start := time.Now()
	w.visit(w.at(name, "?tab=3d"))
	w.wait(`Number(document.querySelector(".scene")?.dataset.frames) > 0`)
	w.contains("#status", thousands(blocks)+" blocks")
	w.Logf("%d blocks in three dimensions after %v", blocks, time.Since(start).Round(time.Millisecond))
	drawn := eval[int](w.tab, `Number(document.querySelector(".scene").dataset.frames)`)
	turning := w.frames(10, `document.querySelector(".scene-canvas").dispatchEvent(new WheelEvent("wheel", { deltaY: i < n / 2 ? -60 : 60, bubbles: true, cancelable: true }));`)
	w.wait(fmt.Sprintf(`Number(document.querySelector(".scene").dataset.frames) > %d`, drawn+5))
	w.Logf("%d blocks, nearer and back: %s", blocks, turning)
}

// thousands writes a number as the page does.
func thousands(n int) string { return fmt.Sprintf("%d,%03d", n/1000, n%1000) }

func (w *trip) largeTable() {
	w.visit(w.at("large.Map.Gbx", "?tab=blocks"))
	w.contains("#status", "of 65025")
	w.wait(`document.querySelectorAll(".list-row").length > 10`)
	w.Logf("65,025 rows of a table: %s", w.frames(30, `const b = document.querySelector(".list-body"); b.scrollTop = i * (b.scrollHeight - b.clientHeight) / (n - 1);`))
	w.wait(`document.querySelector(".list-row:last-child") !== null && [...document.querySelectorAll(".list-row")].some((r) => r.getAttribute("aria-rowindex") === "65026")`)
	if n := w.count(".list-row"); n > 200 {
		w.Errorf("%d rows are in the page", n)
	}
}

// largeTree opens a list of 100,000 values and scrolls from its beginning to its
// end.
func (w *trip) largeTree() {
	start := time.Now()
	w.visit(w.at("values.Map.Gbx", "?tab=bytes&value=body.0304301F.blocks.blocks[0..2000]"))
	w.wait(`document.querySelector("[role=treeitem][aria-selected=true]")?.innerText.includes("0 to 1999")`)
	w.focus("[role=tree]", "*") // open all stretches of the list
	w.wait(fmt.Sprintf(`document.querySelector("[role=tree]").scrollHeight > %d * 22`, manyValues))
	w.Logf("a tree of %d lines after %v", manyValues, time.Since(start).Round(time.Millisecond))
	w.Logf("a tree of %d lines: %s", manyValues, w.frames(30, `const t = document.querySelector("[role=tree]"); t.scrollTop = i * (t.scrollHeight - t.clientHeight) / (n - 1);`))
	w.do(chromedp.KeyEvent(kb.End))
	w.wait(`document.querySelectorAll("[role=treeitem]").length > 10`)
	if n := w.count("[role=treeitem]"); n > 200 {
		w.Errorf("%d lines are in the page", n)
	}
}

// largeBody scrolls through a body of 50 MB: every place shows its bytes.
func (w *trip) largeBody() {
	start := time.Now()
	w.visit(w.at("body.Map.Gbx", "?tab=bytes&layer=body"))
	there := `document.querySelectorAll(".hex-line").length > 10 && !document.querySelector(".hex-view").innerText.includes(" .. ")`
	w.wait(there)
	w.Logf("a body of 50 MB after %v", time.Since(start).Round(time.Millisecond))
	w.Logf("a body of 50 MB: %s", w.frames(30, `const x = document.querySelector(".hex"); x.scrollTop = i * (x.scrollHeight - x.clientHeight) / (n - 1);`))
	start = time.Now()
	w.wait(there)
	w.wait(fmt.Sprintf(`parseInt(document.querySelector(".hex-line:last-child .hex-at").innerText, 16) >= %d`, largeBody-1000))
	w.Logf("the end of it is there after %v", time.Since(start).Round(time.Millisecond))
}
