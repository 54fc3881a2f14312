package walk

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"fmt"
	"image"
	"image/png"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"pakbox/internal/testkit/corpus"
	"pakbox/internal/testkit/peer"
)

// TestDepth walks through what a file of each kind shows beyond its first screen.
func TestDepth(t *testing.T) {
	dir := folder(t)
	write(t, filepath.Join(dir, "empty.txt"), nil)
	write(t, filepath.Join(dir, "tone.wav"), tone())
	write(t, filepath.Join(dir, "refinery.pak"), read(t, filepath.Join(corpus.Dir(t, "simutrans"), "pak", "debian-pak64__factory.Raffinerie.pak")))
	write(t, filepath.Join(dir, "skin.zip"), zipWith(t, map[string][]byte{"Diffuse.dds": dds(), "Details.dds": dds(), "Icon.tga": tga()}))
	write(t, filepath.Join(dir, "unsafe.zip"), zipOf(t, "good.txt", "../../escape.txt", "folder/fine.txt"))
	write(t, filepath.Join(dir, "stairs.Item.Gbx"), read(t, filepath.Join(corpus.Dir(t, "importer"), "NadeoStairs.Item.Gbx")))
	write(t, filepath.Join(dir, "StepTech_D.tga"), tga())
	if err := os.Mkdir(filepath.Join(dir, "no files"), 0o777); err != nil {
		t.Fatal(err)
	}
	city := newMap(t)
	if err := city.AddBlock(track(68_000)...); err != nil {
		t.Fatal(err)
	}
	writeMap(t, filepath.Join(dir, "city.Map.Gbx"), city)
	runs := filepath.Join(t.TempDir(), "hidden", "runs")
	sameRuns(t, filepath.Join(dir, "runs.Replay.Gbx"), runs)
	w := &trip{tab: open(t, served(t, dir, runs)), dir: dir, root: "files"}
	w.size(1280, "light")
	for _, part := range []struct {
		name string
		look func(*trip)
	}{
		{"gallery", (*trip).gathered}, {"change", (*trip).changeHere}, {"catalogue", (*trip).catalogue}, {"city", (*trip).city}, {"cameras", (*trip).cameras},
		{"sound", (*trip).sound}, {"skin", (*trip).skin}, {"tiles-of-building", (*trip).ofSeveralTiles}, {"textured", (*trip).textured}, {"empty", (*trip).empty}, {"called", (*trip).called}, {"unsafe", (*trip).unsafe}, {"busy", (*trip).busy},
		{"crumbs", (*trip).crumbs}, {"runs", (*trip).runsByContent},
	} {
		t.Run(part.name, func(t *testing.T) {
			w := w.within(t)
			part.look(w)
			w.calm()
		})
	}
}

// gathered: home becomes the gallery of all served files by itself, and finds them by the
// facts in them.
func (w *trip) gathered() {
	w.visit("#/")
	w.wait(`document.querySelectorAll(".gallery .tile-link").length > 5`)
	w.enter("[data-search]", "kind=item stairs")
	w.wait(`document.querySelectorAll(".gallery .tile-link").length === 1`)
	w.contains(".gallery .tile-link", "NadeoStairs")
	w.enter("[data-search]", " ")
}

// tone is a second of sound.
func tone() []byte {
	const rate = 8000
	var samples bytes.Buffer
	for i := range rate {
		binary.Write(&samples, binary.LittleEndian, int16(8000*math.Sin(2*math.Pi*440*float64(i)/rate)))
	}
	head := []byte("RIFF\x00\x00\x00\x00WAVEfmt \x10\x00\x00\x00\x01\x00\x01\x00")
	head = binary.LittleEndian.AppendUint32(head, rate)
	head = binary.LittleEndian.AppendUint32(head, 2*rate)
	head = append(head, 2, 0, 16, 0)
	head = append(head, "data"...)
	head = binary.LittleEndian.AppendUint32(head, uint32(samples.Len()))
	binary.LittleEndian.PutUint32(head[4:], uint32(len(head)+samples.Len()-8))
	return append(head, samples.Bytes()...)
}

// zipOf is a zip of small files.
func zipOf(t *testing.T, names ...string) []byte {
	files := map[string][]byte{}
	for _, name := range names {
		files[name] = []byte(name)
	}
	return zipWith(t, files)
}

func zipWith(t *testing.T, files map[string][]byte) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for name, data := range files {
		f, err := z.Create(name)
		if err == nil {
			_, err = f.Write(data)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// sameRuns makes a folder of two runs whose names say nothing.
func sameRuns(t *testing.T, replay, dir string) {
	t.Helper()
	data := read(t, replay)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "one"), data)
	write(t, filepath.Join(dir, "two.bin"), data)
	write(t, filepath.Join(dir, "no run.Replay.Gbx"), []byte("a text"))
}

// changeHere: the value at an offset is found, changed beside its bytes, and undone.
func (w *trip) changeHere() {
	before := w.read(filepath.Join(w.dir, "other.Map.Gbx"))
	w.visit(w.at("other.Map.Gbx", "?tab=bytes&layer=file"))
	w.press("main", "Go to offset")
	w.enter("dialog[open] input", "99999999999")
	w.do(chromedp.KeyEvent(kb.Enter))
	w.contains("dialog[open]", "The last byte is at")
	at := bytes.Index(before, []byte("<header"))
	w.enter("dialog[open] input", fmt.Sprintf("0x%x", at))
	w.do(chromedp.KeyEvent(kb.Enter))
	w.contains("#status", fmt.Sprintf("0x%x", at))
	w.contains(".bytes-value", "<header")
	w.visit(w.at("other.Map.Gbx", "?tab=bytes&layer=file&value=header.03043002.cost"))
	w.press(".bytes-value", "Change")
	w.wait(`document.querySelectorAll("dialog[open] input[type=text]")[0].value === "header.03043002.cost"`)
	eval[any](w.tab, `(() => { const i = document.querySelectorAll("dialog[open] input[type=text]")[1]; i.value = "4321"; i.dispatchEvent(new Event("input", { bubbles: true })); })(); null`)
	w.press("dialog[open]", "Show what would change")
	w.contains("dialog[open]", "4321")
	w.press("dialog[open]", "Save")
	w.contains("#undo", "changed")
	if bytes.Equal(before, w.read(filepath.Join(w.dir, "other.Map.Gbx"))) {
		w.Error("nothing was written")
	}
	w.press("#undo", "Undo")
	w.contains("#undo", "taken back")
	if !bytes.Equal(before, w.read(filepath.Join(w.dir, "other.Map.Gbx"))) {
		w.Error("the file does not have its old content")
	}
}

// catalogue: the blocks of the games are two clicks from home.
func (w *trip) catalogue() {
	w.visit("#/")
	w.click(`main a[href="#:catalogue"]`)
	w.contains("#status", "6,643 blocks")
	w.enter("[data-search]", "RoadTechCurve")
	w.contains("#status", "5 blocks")
	w.contains("main", "N4 at 2 m, E0 at 2 m")
	w.contains("#command", "pakbox block RoadTechCurve")
	w.looks(screen{name: "catalogue"})
	w.enter("[data-search]", "RoadTehCurve")
	w.contains("main", "did you mean RoadTechCurve1")
}

// city: a map of 68,000 blocks is drawn coarsely at first, then with all its blocks.
func (w *trip) city() {
	w.largeScene("city.Map.Gbx", 68_000)
	w.wait(`[...document.querySelectorAll(".scene-tag")].some((t) => t.innerText.startsWith("CP "))`)
}

// cameras: a run is followed from behind and from the car, in three dimensions.
func (w *trip) cameras() {
	w.visit(w.at("run.Replay.Gbx", ""))
	choose := func(label, value string) {
		eval[any](w.tab, fmt.Sprintf(`(() => { const s = document.querySelector('select[aria-label=%s]'); s.value = %s; s.dispatchEvent(new Event("change")); })(); null`, quote(label), quote(value)))
	}
	choose("View", "3d")
	w.wait(`Number(document.querySelector(".scene")?.dataset.frames) > 0`)
	for _, camera := range eval[[]string](w.tab, `[...document.querySelector('select[aria-label="Camera"]').options].map((o) => o.value)`) {
		before := eval[int](w.tab, `Number(document.querySelector(".scene").dataset.frames)`)
		choose("Camera", camera)
		eval[any](w.tab, fmt.Sprintf(`(() => { const s = document.querySelector('input[aria-label="Time"]'); s.value = Number(s.max) / (%d %% 7 + 2); s.dispatchEvent(new Event("input")); })(); null`, before))
		w.wait(fmt.Sprintf(`Number(document.querySelector(".scene").dataset.frames) > %d`, before))
	}
}

// sound: a click plays a sound, to its end.
func (w *trip) sound() {
	ffmpeg := peer.Program(w.T, "ffmpeg", "ffmpeg")
	if said, err := exec.Command(ffmpeg, "-v", "error", "-i", filepath.Join(w.dir, "tone.wav"), filepath.Join(w.dir, "tone.ogg")).CombinedOutput(); err != nil {
		w.Fatalf("%v\n%s", err, said)
	}
	for _, name := range []string{"tone.wav", "tone.ogg"} {
		w.visit(w.at(name, ""))
		w.wait(`Math.abs(document.querySelector("audio")?.duration - 1) < 0.1`)
		button := eval[[]float64](w.tab, `(() => { const r = document.querySelector("audio").getBoundingClientRect(); return [r.left + 26, r.top + r.height / 2]; })()`)
		w.do(chromedp.MouseClickXY(button[0], button[1]))
		w.wait(`document.querySelector("audio").ended && !document.querySelector("audio").error`)
	}
}

// skin: the pictures of a skin are a grid, each whole.
func (w *trip) skin() {
	w.visit(w.at("skin.zip", ""))
	w.wait(`document.querySelectorAll(".tile-stage > img").length === 3`)
	w.pictures()
	w.wait(`[...document.querySelectorAll(".tile-stage > img")].every((i) => getComputedStyle(i).objectFit === "contain")`)
	w.looks(screen{name: "skin"})
}

// ofSeveralTiles: a building of two by two tiles is put together, as the command does.
func (w *trip) ofSeveralTiles() {
	w.visit(w.at("refinery.pak", ""))
	w.pictures()
	const tile = 64
	if got := eval[int](w.tab, `document.querySelector(".sim-picture").naturalWidth`); got <= 2*tile {
		w.Errorf("the building is %d pixels wide at twice its size: that is one tile", got)
	}
	w.drawnByCommand()
}

// textured: an item is drawn with a picture beside it that is called like its material.
func (w *trip) textured() {
	w.visit(w.at("stairs.Item.Gbx", ""))
	w.contains(".mesh-made", "StepTech_D.tga")
	w.wait(`Number(document.querySelector(".scene")?.dataset.frames) > 0`)
	if !until(func() bool { return w.blue(".mesh-stage") > 2000 }) {
		w.Error("the picture is not on the shape")
	}
}

// blue counts the pixels of an element that are blue, as textureColour is.
func (w *trip) blue(selector string) (n int) {
	w.Helper()
	box := eval[[]float64](w.tab, fmt.Sprintf(`(() => { const r = document.querySelector(%s).getBoundingClientRect(); return [r.left, r.top, r.right, r.bottom]; })()`, quote(selector)))
	data, err := chromedp.Run(w.ctx, chromedp.CaptureScreenshot())
	if err != nil {
		w.Fatal(err)
	}
	m, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		w.Fatal(err)
	}
	inside := image.Rect(int(box[0]), int(box[1]), int(box[2]), int(box[3])).Intersect(m.Bounds())
	for y := inside.Min.Y; y < inside.Max.Y; y++ {
		for x := inside.Min.X; x < inside.Max.X; x++ {
			if r, g, b, _ := m.At(x, y).RGBA(); b > 0x3000 && b > 2*r && b > 2*g {
				n++
			}
		}
	}
	return n
}

// empty: an empty file is marked as empty, and so is an empty folder.
func (w *trip) empty() {
	w.visit(w.at("empty.txt", ""))
	w.contains("main", "This file is empty.")
	w.visit(w.at("no files", ""))
	w.contains("main", "This folder is empty")
}

// called: in a folder, a map is found by its name and not only by that of its file, in
// tiles and in the table, which shows the file that is left.
func (w *trip) called() {
	info := w.commandJSON("meta.Map.Gbx", "info")
	for _, view := range []string{"Tiles", "Table"} {
		w.visit("#/" + w.root)
		w.press("main .choice", view)
		w.enter("[data-search]", info["name"].(string))
		w.wait(`document.querySelector("#status").innerText.startsWith("1 of")`)
		w.contains(".folder-room", info["name"].(string))
	}
	w.contains(".folder-side", info["uid"].(string))
	// From home the search finds it in any folder.
	w.visit("#/")
	w.do(chromedp.KeyEvent("k", chromedp.KeyModifiers(chromedp.ModifierCtrl)))
	w.wait(`document.querySelector("dialog[open] input") !== null`)
	w.enter("dialog[open] input", info["name"].(string))
	w.contains("dialog[open]", "1 file")
	w.contains("dialog[open] .go-list", "meta.Map.Gbx")
	w.accessible("search")
	w.do(chromedp.KeyEvent(kb.Enter))
	w.contains(".map-head h1", info["name"].(string))
}

// unsafe: a name in an archive that leads out of it is marked, with the reason.
func (w *trip) unsafe() {
	w.visit(w.at("unsafe.zip", ""))
	w.contains("main", "unsafe name")
	eval[any](w.tab, `[...document.querySelectorAll(".archive-row")].find((r) => r.innerText.includes("unsafe")).click(); null`)
	w.contains("main", "never writes it outside the folder")
}

// busy: a sign of work is there after 150 ms, and not before.
func (w *trip) busy() {
	w.visit("#/")
	sign := `getComputedStyle(document.querySelector("main"), "::before")`
	w.wait(sign + `.opacity === "0"`)
	eval[any](w.tab, `document.querySelector("main").setAttribute("aria-busy", "true"); null`)
	w.wait(sign + `.opacity === "1" && ` + sign + `.transitionDelay === "0.15s"`)
	eval[any](w.tab, `document.querySelector("main").setAttribute("aria-busy", "false"); null`)
}

// crumbs: on a phone the name of the file and the folder that holds it can be read.
func (w *trip) crumbs() {
	w.size(400, "light")
	defer w.size(1280, "light")
	w.visit(w.at("unsafe.zip", "") + "/folder/fine.txt")
	w.contains("#crumbs [aria-current]", "fine.txt")
	if shown := eval[[]string](w.tab, `[...document.querySelectorAll("#crumbs a")].filter((a) => a.checkVisibility()).map((a) => a.innerText)`); len(shown) != 1 || shown[0] != "folder" {
		w.Errorf("links of the breadcrumbs: %q", shown)
	}
}

// runsByContent: runs are offered for a comparison by their content, whatever they are
// called.
func (w *trip) runsByContent() {
	w.visit("#/runs/one?tab=compare")
	w.contains("main", "two.bin")
	if text := w.text(".compare-choice"); bytes.Contains([]byte(text), []byte("no run")) {
		w.Errorf("offered: %s", text)
	}
}
