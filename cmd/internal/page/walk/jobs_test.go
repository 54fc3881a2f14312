package walk

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"github.com/chromedp/chromedp"

	"pakbox/internal/testkit/corpus"
	"pakbox/nadeo/maps"
)

// mostClicks is how many clicks from home a job may take. Typing is free.
const mostClicks = 5

// visitor is somebody with a job, whose clicks are counted.
type visitor struct {
	*tab
	clicks int
}

// hit clicks the first element in sight that has a text.
func (v *visitor) hit(selector, text string) {
	v.Helper()
	v.clicks++
	click := fmt.Sprintf(`(() => { const e = [...document.querySelectorAll(%s)].find((e) => e.textContent.includes(%s) && e.checkVisibility()); e?.click(); return Boolean(e); })()`, quote(selector), quote(text))
	if !until(func() bool { return eval[bool](v.tab, click) }) {
		v.Fatalf("there is no %s with %q\n%s", selector, text, v.text("body"))
	}
}

// search types into the search of home, and waits until so many tiles are left.
func (v *visitor) search(words string, tiles int) {
	v.Helper()
	v.enter("[data-search]", words)
	v.wait(fmt.Sprintf(`document.querySelectorAll(".gallery .tile-link").length === %d`, tiles))
}

const tileLink = ".gallery .tile-link"

// jobs are what people come for.
var jobs = []struct {
	name string
	do   func(v *visitor)
}{
	{"find my map in 300", func(v *visitor) {
		v.search("Round 217", 1)
		v.hit(tileLink, "Round 217")
		v.contains(".map-head h1", "Round 217")
	}},
	{"see where two runs differ", func(v *visitor) {
		v.search("kind=replay", 2)
		v.hit(tileLink+`[href*="slow"]`, "")
		v.hit("main a, main button", "Compare with…")
		v.hit(".compare-choice label", "fast")
		v.wait(`document.querySelector(".compare-places, .compare-splits") !== null`)
	}},
	{"change a medal and undo it", func(v *visitor) {
		v.search("Round 218", 1)
		v.hit(tileLink, "Round 218")
		v.hit("summary", "Change")
		v.hit("main button, main a", "Medals…")
		v.wait(`document.querySelector("dialog[open] input") !== null`)
		v.enter("dialog[open] input", "1:23.456")
		v.do(chromedp.KeyEvent(kb.Enter)) // shows what would change
		v.wait(`document.querySelector("dialog[open] table") !== null`)
		v.hit("dialog[open] button", "Save")
		v.contains(".map-medals", "1:23.456")
		v.hit("#undo button", "Undo")
		v.contains("#undo", "taken back")
		v.wait(`!document.querySelector(".map-medals")?.innerText.includes("1:23.456")`)
	}},
	{"get an item's mesh", func(v *visitor) {
		v.search("kind=item", 1)
		v.hit(tileLink, "")
		v.wait(`document.querySelector(".tabs-actions a[download$='.glb']") !== null`)
		v.clicks++ // the link saves what stands behind it
		if magic := eval[string](v.tab, `fetch(document.querySelector(".tabs-actions a[download$='.glb']").href).then((r) => r.text()).then((t) => t.slice(0, 4))`); magic != "glTF" {
			v.Errorf("the mesh begins with %q", magic)
		}
	}},
	{"check a folder before upload", func(v *visitor) {
		v.hit(".side a", "upload")
		v.hit("main button", "Check all")
		v.contains(".folder-status", "1 file with problems: cut.Map.Gbx")
	}},
}

// TestJobs: the jobs that people come for take five clicks from home at most.
func TestJobs(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "upload")
	if err := os.Mkdir(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	for i := range 300 {
		m, err := maps.New(maps.Options{Name: fmt.Sprintf("Round %d", i), UID: fmt.Sprintf("walk00000000000000000000%03d", i)})
		if err != nil {
			t.Fatal(err)
		}
		writeMap(t, filepath.Join(dir, fmt.Sprintf("round-%d.Map.Gbx", i)), m)
	}
	for name, from := range map[string]string{"slow.Replay.Gbx": "03093000/78f5d18307c0.Replay.gbx", "fast.Replay.Gbx": "03093000/1d066c57d900.Replay.gbx", "thing.Item.Gbx": "2e002000/0528d0c092f5.Item.Gbx"} {
		write(t, filepath.Join(dir, name), read(t, filepath.Join(corpus.Dir(t, "gbx"), filepath.FromSlash(from))))
	}
	whole := read(t, filepath.Join(corpus.Dir(t, "gbx"), "03043000", "419a42a7df54.Map.Gbx"))
	write(t, filepath.Join(dir, "cut.Map.Gbx"), whole[:200_000])
	page := open(t, served(t, "--index", indexed(t, dir), dir))
	for _, job := range jobs {
		t.Run(strings.ReplaceAll(job.name, " ", "-"), func(t *testing.T) {
			v := &visitor{tab: &tab{T: t, ctx: page.ctx, base: page.base, notes: page.notes}}
			v.visit("#/")
			v.wait(`document.querySelectorAll(".gallery .tile-link").length > 5`)
			job.do(v)
			v.calm()
			if v.clicks > mostClicks {
				t.Errorf("it takes %d clicks", v.clicks)
			}
			t.Logf("%s: %d clicks", job.name, v.clicks)
		})
	}
	(&visitor{tab: page}).walkAll(t)
}
