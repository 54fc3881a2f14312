package walk

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// ways are the ways through the page without losing one's place, and without a mouse. They
// run on the 300 maps of TestJobs.
var ways = []struct {
	name string
	walk func(v *visitor)
}{
	{"back to the tile", (*visitor).backToTile},
	{"back through facets", (*visitor).backThroughFacets},
	{"arrows on tiles", (*visitor).arrowsOnTiles},
	{"runs chosen by Space", (*visitor).runsChosen},
	{"the palette", (*visitor).palette},
	{"Ctrl-Z", (*visitor).controlZ},
}

func (v *visitor) walkAll(t *testing.T) {
	for _, way := range ways {
		t.Run(strings.ReplaceAll(way.name, " ", "-"), func(t *testing.T) {
			v := &visitor{tab: &tab{T: t, ctx: v.ctx, base: v.base, notes: v.notes}}
			v.visit("#/")
			v.wait(`document.querySelectorAll(".gallery .tile-link").length > 5`)
			way.walk(v)
			v.calm()
		})
	}
}

// key presses a key, with modifiers if there are any.
func (v *visitor) key(key string, modifiers ...chromedp.KeyOption) {
	v.Helper()
	v.do(chromedp.KeyEvent(key, modifiers...))
}

// backToTile: Back leads to the place in a long gallery, with the focus on the file that was
// opened, also when the user has asked for more tiles.
func (v *visitor) backToTile() {
	for _, tiles := range []int{60, 120} {
		v.wait(fmt.Sprintf(`document.querySelectorAll(".gallery .tile-link").length === %d`, tiles))
		v.hit("main button", "Show more")
	}
	v.wait(`document.querySelectorAll(".gallery .tile-link").length > 220`)
	eval[any](v.tab, `document.querySelectorAll(".gallery .tile-link")[210].focus(); null`)
	v.wait(`document.getElementById("main").scrollTop > 1000`)
	before := eval[float64](v.tab, `document.getElementById("main").scrollTop`)
	href := eval[string](v.tab, `document.activeElement.getAttribute("href")`)
	v.key(kb.Enter)
	v.wait(`document.querySelector(".map-head h1") !== null`)
	v.settle()
	v.wait(`document.activeElement.localName === "h1"`) // a reader of the screen begins here
	v.do(chromedp.NavigateBack())
	v.settle()
	v.wait(fmt.Sprintf(`Math.abs(document.getElementById("main").scrollTop - %v) < 3`, before))
	v.wait(fmt.Sprintf(`document.activeElement.getAttribute("href") === %s`, quote(href)))
}

// backThroughFacets: each click on a facet is a step of the history.
func (v *visitor) backThroughFacets() {
	v.hit(".facet", "Replays")
	v.wait(`document.querySelectorAll(".gallery .tile-link").length === 2`)
	v.do(chromedp.NavigateBack())
	v.wait(`document.querySelectorAll(".gallery .tile-link").length > 5 && document.querySelector("[data-search]").value === ""`)
	v.settle()
}

// arrowsOnTiles: arrow keys move from tile to tile, in rows and between rows.
func (v *visitor) arrowsOnTiles() {
	const at = `[...document.querySelectorAll(".gallery .tile-link")].indexOf(document.activeElement)`
	eval[any](v.tab, `document.querySelector(".gallery .tile-link").focus(); null`)
	v.key(kb.ArrowRight)
	v.wait(at + ` === 1`)
	v.key(kb.ArrowDown)
	v.wait(at + ` > 2`)
	row := eval[int](v.tab, at) - 1
	if left := eval[bool](v.tab, fmt.Sprintf(`(() => { const l = document.querySelectorAll(".gallery .tile-link"); return l[%d].getBoundingClientRect().left === l[0].getBoundingClientRect().left; })()`, row)); !left {
		v.Errorf("ArrowDown moved by %d tiles, want the tile below", row)
	}
	v.key(kb.ArrowUp)
	v.wait(at + ` === 1`)
	v.key(kb.End)
	v.wait(at + ` === document.querySelectorAll(".gallery .tile-link").length - 1`)
}

// runsChosen: Space chooses files; two chosen runs are compared as runs, and Back has them
// chosen still.
func (v *visitor) runsChosen() {
	v.visit("#/upload")
	v.enter("[data-search]", "replay")
	v.wait(`document.querySelectorAll(".tiles .tile-link").length === 2`)
	eval[any](v.tab, `document.querySelector(".tiles .tile-link").focus(); null`)
	v.key(" ")
	v.contains(".folder-chosen", "1 chosen")
	v.key(kb.ArrowRight)
	v.key(" ", chromedp.KeyModifiers(chromedp.ModifierShift))
	v.contains(".folder-chosen", "2 chosen")
	v.hit(".folder-chosen a", "Compare")
	v.wait(`document.querySelector(".compare-places, .compare-splits") !== null`)
	v.settle()
	v.do(chromedp.NavigateBack())
	v.settle()
	v.contains(".folder-chosen", "2 chosen")
	v.wait(`document.querySelectorAll(".tile-choose input:checked").length === 2`)
	v.hit(".folder-chosen button[aria-label='Clear the selection']", "")
	v.wait(`document.querySelectorAll(".tile-choose input:checked").length === 0`)
}

// palette: Ctrl-K finds a file anywhere, and the arrow keys choose among the files.
func (v *visitor) palette() {
	v.key("k", chromedp.KeyModifiers(chromedp.ModifierCtrl))
	v.wait(`document.querySelector("dialog[open] .go-list") !== null`)
	v.enter("dialog[open] input", "round-21")
	v.wait(`document.querySelectorAll(".go-list a").length > 5`)
	v.wait(`!document.querySelector("dialog[open]").innerText.includes("being read")`)
	v.key(kb.ArrowDown)
	v.key(kb.ArrowDown)
	v.wait(`document.querySelectorAll(".go-list a")[1].getAttribute("aria-selected") === "true"`)
	href := eval[string](v.tab, `document.querySelectorAll(".go-list a")[1].getAttribute("href")`)
	v.key(kb.Enter)
	v.wait(fmt.Sprintf(`location.hash === %s`, quote(href)))
	v.settle()
}

// controlZ: the form of the medals has their present values, and Ctrl-Z undoes a change.
func (v *visitor) controlZ() {
	v.search("Round 219", 1)
	v.hit(tileLink, "Round 219")
	v.hit("summary", "Change")
	v.hit("main button, main a", "Medals…")
	v.wait(`document.querySelector("dialog[open] input") !== null`)
	now := eval[string](v.tab, `document.querySelector("dialog[open] input").value`)
	v.enter("dialog[open] input", "1:23.457")
	v.key(kb.Enter)
	v.wait(`document.querySelector("dialog[open] table") !== null`)
	v.hit("dialog[open] button", "Save")
	v.contains(".map-medals", "1:23.457")
	v.key("z", chromedp.KeyModifiers(chromedp.ModifierCtrl))
	v.contains("#undo", "taken back")
	v.wait(`!document.querySelector(".map-medals")?.innerText.includes("1:23.457")`)
	v.settle()
	v.hit("summary", "Change")
	v.hit("main button, main a", "Medals…")
	v.wait(fmt.Sprintf(`document.querySelector("dialog[open] input")?.value === %s`, quote(now)))
	v.hit("dialog[open] button", "Cancel")
}
