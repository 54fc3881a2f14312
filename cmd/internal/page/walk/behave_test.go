package walk

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"image/color"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	downloads "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// objects: every slider changes the picture or the address, and the command
// below draws what the page shows.
func (w *trip) objects() {
	w.pictures()
	sliders := eval[[]string](w.tab, `[...document.querySelectorAll(".sim-slider input")].map((s) => s.ariaLabel)`)
	for _, want := range []string{"Direction", "Light", "First colour", "Second colour", "Size"} {
		if !slices.Contains(sliders, want) {
			w.Errorf("slider %s is missing among %v", want, sliders)
		}
	}
	for _, name := range []string{"Direction", "Light", "First colour"} {
		before := eval[string](w.tab, `document.querySelector(".sim-picture").src`)
		w.focus(fmt.Sprintf(`.sim-slider input[aria-label=%q]`, name), kb.ArrowRight)
		w.wait(fmt.Sprintf(`document.querySelector(".sim-picture").src !== %s`, quote(before)))
		w.pictures()
	}
	w.contains("#command", "--night --player1 red --scale 2")
	w.wait(`location.hash.includes("night=true") && location.hash.includes("player1=red")`)
	w.drawnByCommand()
}

// drawnByCommand compares the picture of an object with what the command below draws.
func (w *trip) drawnByCommand() {
	w.Helper()
	words := strings.Fields(eval[string](w.tab, `document.querySelector("#command code").innerText`))
	made := filepath.Join(w.TempDir(), "picture.png")
	words[len(words)-1], words[3] = made, filepath.Join(w.dir, strings.TrimPrefix(words[3], w.root+"/"))
	if out, err := exec.Command(program, words[1:]...).CombinedOutput(); err != nil {
		w.Fatalf("%v: %v\n%s", words, err, out)
	}
	coded := eval[string](w.tab, `fetch(document.querySelector(".sim-picture").src).then((r) => r.arrayBuffer()).then((b) => btoa(String.fromCharCode(...new Uint8Array(b))))`)
	shown, err := base64.StdEncoding.DecodeString(coded)
	if err != nil {
		w.Fatal(err)
	}
	if !slices.Equal(w.pixels(shown), w.pixels(w.read(made))) {
		w.Errorf("%v draws another picture than the page", words)
	}
}

// pixels returns the pixels of a PNG, and its size.
func (w *trip) pixels(data []byte) (list []color.Color) {
	w.Helper()
	m, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		w.Fatal(err)
	}
	b := m.Bounds()
	list = append(list, color.Gray16{Y: uint16(b.Dx())})
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			list = append(list, color.NRGBAModel.Convert(m.At(x, y)))
		}
	}
	return list
}

// findings compares what the page finds in the folder with what the command does.
func (w *trip) findings() {
	found := printedJSON(w.T, "simutrans", "check", "--fail", "off", w.dir)
	for _, name := range []string{"object", "error", "warning"} {
		w.contains("main", fmt.Sprintf("%.0f %s", found[name+"s"], name))
	}
	list := found["findings"].([]any)
	w.contains("#status", fmt.Sprintf("%d of %d", len(list), len(list)))
	for _, f := range list[:min(8, len(list))] {
		w.wait(fmt.Sprintf(`document.querySelector("main .list-body").innerText.includes(%s)`, quote(f.(map[string]any)["rule"].(string))))
	}
}

func (w *trip) diff() {
	w.wait(`document.querySelector("#status").innerText.includes("differences")`)
	w.contains("main", "mapName")
	w.contains("#command", "pakbox diff")
}

// diffArchives compares the page's list of differences of two archives with the command:
// file by file, and value by value in a map that both contain.
func (w *trip) diffArchives() {
	// The command exits with 1 because they differ.
	out, _ := exec.Command(program, "diff", "--json", filepath.Join(w.dir, "left.vpk"), filepath.Join(w.dir, "right.vpk")).Output()
	var said map[string]any
	if err := json.Unmarshal(out, &said); err != nil {
		w.Fatal(err)
	}
	for _, c := range said["changes"].([]any) {
		c := c.(map[string]any)
		w.contains(".list-body", c["name"].(string))
		w.contains(".list-body", c["change"].(string))
		inside, _ := c["inside"].(map[string]any)
		values, _ := inside["values"].([]any)
		for _, v := range values {
			w.contains(".list-body", v.(map[string]any)["path"].(string))
		}
	}
	w.contains("main", fmt.Sprintf("%v added, %v removed, %v changed", said["added"], said["removed"], said["changed"]))
	w.contains("#command", "pakbox diff")
	// A file that both have leads to its own differences.
	w.wait(`[...document.querySelectorAll(".list-row a")].some((a) => a.innerText === "map.Map.Gbx" && a.href.includes("left.vpk%2Fmap.Map.Gbx"))`)
}

// inside: what a compressed block of the body holds is a layer of its own, and
// a byte there leads to its value.
func (w *trip) inside() {
	w.contains(".bytes-layers [aria-current]", "Inside")
	w.wait(`document.querySelectorAll(".hex-codes [data-at]").length > 32 && !document.querySelector(".hex-codes").innerText.includes("..")`)
	w.click(`.hex-codes [data-at="4"]`)
	w.wait(`document.querySelector("#status").innerText.includes(".content.")`)
	w.wait(`document.querySelectorAll("[role=treeitem][aria-selected=true]").length === 1 && document.querySelectorAll(".hex .marked").length > 0`)
}

// damaged: the error is shown, and links to the bytes at its offset.
func (w *trip) damaged() {
	w.contains("[role=alert]", "truncated")
	w.contains("#command", "pakbox verify")
	w.click(`main a[href*="at=191"]`)
	w.wait(`document.querySelector(".hex .marked")?.dataset.at === "191"`)
	w.contains(".bytes-bar", "truncated at 0xbf")
	w.visit(w.at("damaged.Block.pak", ""))
}

// damagedMap: the values before the place where a map breaks off are there, and what is
// left of it is saved.
func (w *trip) damagedMap() {
	w.contains("[role=alert]", "truncated")
	w.saveLeft()
	w.contains(".damage-layers", "Body up to where it breaks")
	w.click(`.damage-layers li:last-child a`)
	w.wait(`document.querySelectorAll("[role=treeitem]").length > 2 && document.querySelector(".bytes-strip") !== null`)
	w.wait(`document.querySelectorAll(".hex-codes [data-at]").length > 32 && !document.querySelector(".hex-codes").innerText.includes("..")`)
	w.click(`.hex-codes [data-at="4"]`)
	w.wait(`document.querySelector("#status").innerText.startsWith("body.")`)
	w.visit(w.at("cut.Map.Gbx", ""))
}

// saveLeft: the zip of the readable parts of the map has its thumbnail and its name.
func (w *trip) saveLeft() {
	dir := w.TempDir()
	self, err := chromedp.Call(w.ctx, target.GetTargetInfo, target.GetTargetInfoParams{})
	if err == nil {
		_, err = chromedp.CallBrowser(w.ctx, downloads.SetDownloadBehavior, downloads.SetDownloadBehaviorParams{
			Behavior: downloads.SetDownloadBehaviorBehaviorAllow, DownloadPath: dir, BrowserContextID: self.TargetInfo.BrowserContextID,
		})
	}
	if err != nil {
		w.Fatal(err)
	}
	eval[any](w.tab, `[...document.querySelectorAll("main a")].find((a) => a.innerText.trim() === "Save recoverable data").click(); null`)
	made := filepath.Join(dir, "cut.Map.Gbx.zip")
	if !until(func() bool { _, err := os.Stat(made); return err == nil }) {
		w.Fatal("nothing is saved")
	}
	out := filepath.Join(dir, "out")
	for _, args := range [][]string{{"extract", made, "-C", out}, {"extract", filepath.Join(w.dir, "map.Map.Gbx"), "thumbnail.jpg", "-C", filepath.Join(dir, "whole")}} {
		if said, err := exec.Command(program, args...).CombinedOutput(); err != nil {
			w.Fatalf("%v: %v\n%s", args, err, said)
		}
	}
	if !bytes.Equal(w.read(filepath.Join(out, "thumbnail.jpg")), w.read(filepath.Join(dir, "whole", "thumbnail.jpg"))) {
		w.Error("another thumbnail is saved")
	}
	var facts map[string]any
	if err := json.Unmarshal(w.read(filepath.Join(out, "facts.json")), &facts); err != nil {
		w.Fatal(err)
	}
	if want := w.commandJSON("map.Map.Gbx", "info"); facts["name"] != want["name"] || facts["uid"] != want["uid"] {
		w.Errorf("the facts are %v", facts)
	}
}

// texture: a picture of a graphics card has the colours that were put into it.
func (w *trip) texture() {
	w.pictures()
	got := eval[[]int](w.tab, `(() => { const i = document.querySelector("main img"), c = document.createElement("canvas"); c.width = i.naturalWidth; c.height = i.naturalHeight;
		const x = c.getContext("2d"); x.drawImage(i, 0, 0); return [c.width, c.height, ...x.getImageData(1, 1, 1, 1).data]; })()`)
	if want := []int{textureWidth, textureHeight, 40, 60, 200, 255}; !slices.Equal(got, want) {
		w.Errorf("the picture is %v, not %v", got, want)
	}
}

// navigation: back, forward and reload lead where a person expects.
func (w *trip) navigation() {
	w.visit(w.at("map.Map.Gbx", ""))
	w.visit(w.at("map.Map.Gbx", "?tab=blocks"))
	w.visit(w.at("run.Replay.Gbx", ""))
	w.do(chromedp.NavigateBack())
	w.wait(`document.querySelector(".tabs [aria-current]").innerText === "Blocks"`)
	w.do(chromedp.NavigateForward())
	w.wait(`document.title.startsWith("run.Replay.Gbx")`)
	w.do(chromedp.Reload())
	w.settle()
	w.wait(`document.title.startsWith("run.Replay.Gbx")`)
	// A link to a byte range and one to a value.
	w.visit(w.at("map.Map.Gbx", "?tab=bytes&layer=file&at=0-3"))
	w.contains(".bytes-inspector", "0x0")
	w.visit(w.at("map.Map.Gbx", "?tab=bytes&value=body.03043011"))
	w.wait(`document.querySelector("[role=treeitem][aria-selected=true]")?.innerText.includes("03043011")`)
	w.calm()
}

// keyboard: the page can be used without a mouse.
func (w *trip) keyboard() {
	w.visit(w.at("map.Map.Gbx", ""))
	w.do(chromedp.KeyEvent("?"))
	w.wait(`document.querySelector("dialog[open]") !== null`)
	w.contains("dialog[open]", "search")
	w.do(chromedp.KeyEvent(kb.Escape))
	w.wait(`document.querySelector("dialog[open]") === null`)
	w.do(chromedp.KeyEvent("]"))
	w.wait(`document.querySelector(".tabs [aria-current]").innerText === "3D"`)
	w.settle()
	w.do(chromedp.KeyEvent("u"))
	w.wait(`document.querySelector("main").innerText.includes("block.Block.Gbx")`)
	w.settle()
	w.do(chromedp.KeyEvent("/"))
	w.wait(`document.activeElement.matches("[data-search]")`)
	w.visit("#/" + w.root)
	w.press("main .choice", "Table")
	eval[any](w.tab, `document.querySelector(".list-body").focus(); null`)
	w.do(chromedp.KeyEvent("run."))
	w.contains(".list-row.at", "run.Replay.Gbx")
	time.Sleep(time.Second) // what is typed after a pause is a new word
	w.do(chromedp.KeyEvent("meta"), chromedp.KeyEvent(kb.Enter))
	w.wait(`location.hash.endsWith("meta.Map.Gbx")`)
	w.settle()
	w.visit("#/" + w.root)
	w.press("main .choice", "Tiles")
	w.calm()
}

// twoLines: on a phone a row of a table has two lines and is high enough for a finger.
func (w *trip) twoLines() {
	w.size(400, "light")
	defer w.size(1280, "light")
	for at, usual := range map[string]string{"#/" + w.root: "Tiles", w.at("plain.vpk", ""): "Tree"} {
		w.visit(at)
		w.press("main .choice", "Table")
		w.wait(`[...document.querySelectorAll(".list-row")].some((r) => r.offsetHeight >= 44 && r.querySelector(".list-under").innerText !== "" && r.querySelector(".list-under").getBoundingClientRect().top >= r.querySelector(".list-title").getBoundingClientRect().bottom - 1)`)
		w.press("main .choice", usual) // the page remembers it
	}
	w.calm()
}

// hostile: names and contents of files become text, and nothing else.
func (w *trip) hostile() {
	w.visit("#/" + w.root)
	w.contains("main", hostile)
	name := strings.NewReplacer("<", "%3C", ">", "%3E", `"`, "%22", "'", "%27", " ", "%20", "&", "%26", "=", "%3D").Replace(hostile)
	w.visit(w.at(name, ""))
	w.contains("main", "<script>alert(1)</script>")
	if n := w.count("main img, main script"); n != 0 {
		w.Errorf("%d elements came out of a name", n)
	}
	w.calm()
}

// unlock: a passphrase opens an archive, and is kept in memory only.
func (w *trip) unlock() {
	w.visit(w.at("locked.vpk", ""))
	w.contains("main", "passphrase")
	w.enter(`form[aria-label="Unlock"] input[type=password]`, "wrong")
	w.do(chromedp.KeyEvent(kb.Enter))
	w.contains(`form[aria-label="Unlock"] [role=alert]`, "does not open it")
	w.enter(`form[aria-label="Unlock"] input[type=password]`, "Correct-Horse-42")
	w.do(chromedp.KeyEvent(kb.Enter))
	w.wait(`document.querySelectorAll(".archive-row").length > 0`)
	w.calm()
}
