package walk

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// aChange is a change that is made on the page as a person makes it, and by the
// command that does the same.
type aChange struct {
	name, file, button string
	at                 string // further parameters of the address
	fill               func(w *trip)
	command            func(w *trip, file string) []string
}

var changes = []aChange{
	{"rename", "other.Map.Gbx", "Rename", "", func(w *trip) { w.enter("dialog[open] input[type=text]", "Walked") },
		func(_ *trip, file string) []string { return []string{"map", "rename", file, "Walked"} }},
	{"medals", "other.Map.Gbx", "Medals", "", func(w *trip) { w.enter("#change-1", "1:23.456") },
		func(_ *trip, file string) []string { return []string{"map", "medals", file, "--gold", "1:23.456"} }},
	{"thumbnail", "other.Map.Gbx", "Thumbnail", "", func(w *trip) { w.upload("#change-0", w.aside("new.png")) },
		func(w *trip, file string) []string {
			return []string{"map", "thumbnail", file, "--set", w.aside("new.png")}
		}},
	{"items", "items.Map.Gbx", "Items", "", (*trip).otherItems, (*trip).otherItemsCommand},
	{"metadata", "meta.Map.Gbx", "Metadata", "", func(w *trip) { w.enter("dialog[open] input[type=text]", "41") },
		func(w *trip, file string) []string {
			return []string{"map", "meta", file, "--set", w.firstMeta(file) + "=41"}
		}},
	{"value", "meta.Map.Gbx", "Set a value", "", func(w *trip) { w.enter("#change-0", "mapName"); w.enter("#change-1", "By path") },
		func(_ *trip, file string) []string { return []string{"set", file, "mapName=By path"} }},
	{"simutrans", "objects.pak", "Set a value", "?object=vehicle.test_truck", func(w *trip) {
		eval[any](w.tab, `(() => { const s = document.querySelector("#change-0"); s.value = "topspeed"; s.dispatchEvent(new Event("change")); })(); null`)
		w.enter("#change-1", "123")
	}, func(_ *trip, file string) []string { return []string{"set", file, "vehicle.test_truck/topspeed=123"} }},
}

// changeAll makes every change: it is shown first as the command's dry run shows
// it, and then the file is the one that the command makes.
func (w *trip) changeAll() {
	for _, c := range changes {
		w.Run("change-"+c.name, func(t *testing.T) { w.within(t).change(c) })
	}
}

func (w *trip) change(c aChange) {
	// The file as the page has it, and what the command makes of it.
	before := filepath.Join(w.TempDir(), c.file)
	write(w.T, before, w.content(c.file))
	after := filepath.Join(w.TempDir(), "after")
	args := c.command(w, before)
	dry := printedJSON(w.T, append(args, "--dry-run")...)
	if out, err := exec.Command(program, append(args, "-o", after)...).CombinedOutput(); err != nil {
		w.Fatalf("%v\n%s", err, out)
	}
	want, err := os.ReadFile(after)
	if err != nil {
		w.Fatal(err)
	}

	w.visit(w.at(c.file, c.at))
	w.press("main", c.button)
	w.wait(`document.querySelector("dialog[open] form") !== null`)
	c.fill(w)
	w.press("dialog[open]", "Show what would change")
	w.wait(`document.querySelector("dialog[open] table") !== null`)
	w.shown(dry)
	if got := w.content(c.file); !bytes.Equal(got, w.read(before)) {
		w.Error("the dry run changed the file")
	}
	w.calm()
	if w.root != "dropped" {
		w.looks(screen{name: "change-" + c.name})
	}
	w.press("dialog[open]", "Save")
	w.wait(`document.querySelector("dialog[open]") === null`)
	w.settle()
	if !until(func() bool { return bytes.Equal(w.content(c.file), want) }) {
		w.Errorf("the file is not the one that pakbox %s makes", strings.Join(args, " "))
	}
	if w.root != "dropped" && !bytes.Equal(w.read(filepath.Join(w.dir, c.file)), want) {
		w.Error("the file in the folder is another")
	}
	w.calm()
}

// shown compares the page's list of changes with that of the command's dry run.
func (w *trip) shown(dry map[string]any) {
	w.Helper()
	list, _ := dry["values"].([]any)
	for _, v := range list {
		v := v.(map[string]any)
		w.contains("dialog[open] table", v["path"].(string))
		if text, ok := v["new"].(string); ok {
			w.contains("dialog[open] table", text)
		}
	}
	if got := w.count("dialog[open] tbody tr"); got != len(list) || got == 0 {
		w.Errorf("the page shows %d changes, the command %d", got, len(list))
	}
}

// content is a file as the page has it.
func (w *trip) content(name string) []byte {
	w.Helper()
	return w.asked("content", name)
}

// asked is what the page gets when it asks for something about a file.
func (w *trip) asked(question, name string) []byte {
	w.Helper()
	ask := fmt.Sprintf(`import(new URL("lib/api.js", location.origin + "/")).then((a) => a.bytes(%s, { path: %s })).then((b) => new Promise((ok) => {
		const r = new FileReader(); r.onload = () => ok(r.result.slice(r.result.indexOf(",") + 1)); r.readAsDataURL(new Blob([b.data])); }))`, quote(question), quote(w.root+"/"+name))
	var data []byte
	if err := json.Unmarshal([]byte(quote(eval[string](w.tab, ask))), &data); err != nil {
		w.Fatal(err)
	}
	return data
}

func (w *trip) read(name string) []byte {
	w.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		w.Fatal(err)
	}
	return data
}

// aside is a file beside the folder that the page shows: a picture, or an item.
func (w *trip) aside(name string) string {
	w.Helper()
	file := filepath.Join(filepath.Dir(w.dir), name)
	if _, err := os.Stat(file); err == nil {
		return file
	}
	if name != "new.png" { // another file of the map's own
		out, err := exec.Command(program, "cat", filepath.Join(w.dir, "block.Block.Gbx")).Output()
		if err != nil {
			w.Fatal(err)
		}
		write(w.T, file, out)
		return file
	}
	m := image.NewNRGBA(image.Rect(0, 0, 64, 64))
	for i := range 64 * 64 {
		m.Set(i%64, i/64, color.NRGBA{uint8(4 * (i % 64)), uint8(4 * (i / 64)), 128, 255})
	}
	var b bytes.Buffer
	if err := png.Encode(&b, m); err != nil {
		w.Fatal(err)
	}
	write(w.T, file, b.Bytes())
	return file
}

// otherItems removes the first item of the map and adds a block.
func (w *trip) otherItems() {
	w.wait(`document.querySelectorAll(".change-items input").length > 1`)
	eval[any](w.tab, `document.querySelector(".change-items input").click(); null`)
	w.upload("#change-2", w.aside("New.Block.Gbx"))
	w.wait(`document.querySelector("dialog[open] input[type=text]")?.value === "Blocks/New.Block.Gbx"`)
}

func (w *trip) otherItemsCommand(file string) []string {
	list := printedJSON(w.T, "map", "items", file)["embedded"].([]any)
	return []string{"map", "items", file, "--remove", list[0].(map[string]any)["name"].(string), "--add", w.aside("New.Block.Gbx")}
}

// firstMeta is the first value of a map's metadata that one word can be given to.
func (w *trip) firstMeta(file string) string {
	for _, v := range printedJSON(w.T, "map", "meta", file)["values"].([]any) {
		v := v.(map[string]any)
		switch v["type"] {
		case "Integer", "Real", "Text":
			return v["name"].(string)
		case "Boolean":
			w.Fatal("the first value is not a number")
		}
	}
	w.Fatal("the map has no metadata")
	return ""
}

// reload: a file that another program saves is read again, and the page stays
// where it was.
func (w *trip) reload() {
	name := filepath.Join(w.dir, "reload.Map.Gbx")
	write(w.T, name, w.read(filepath.Join(w.dir, "map.Map.Gbx")))
	w.visit(w.at("reload.Map.Gbx", "?tab=blocks"))
	w.wait(`document.querySelectorAll(".list-row").length > 20`)
	eval[any](w.tab, `document.querySelector(".list-body").scrollTop = 520; null`)
	old := eval[string](w.tab, `document.querySelector("main .panel").innerText.slice(0, 1000)`)
	blocks := printedJSON(w.T, "map", "blocks", filepath.Join(w.dir, "large.Map.Gbx"))["blocks"].([]any)
	large := w.read(filepath.Join(w.dir, "large.Map.Gbx"))
	if !until(func() bool { // once more if the page did not listen yet
		write(w.T, name, large)
		for end := time.Now().Add(2 * time.Second); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
			if strings.Contains(w.text("#status"), fmt.Sprintf("of %d", len(blocks))) {
				return true
			}
		}
		return false
	}) {
		w.Fatalf("the page did not read the file again: %s", w.text("#status"))
	}
	w.wait(`document.querySelector(".list-body").scrollTop === 520`)
	w.wait(fmt.Sprintf(`document.querySelector("main .panel").innerText.slice(0, 1000) !== %s`, quote(old)))
	w.calm()
}

// rename gives a map another name on the page.
func (w *trip) rename(file, name string) {
	w.visit(w.at(file, ""))
	w.press("main", "Rename")
	w.wait(`document.querySelector("dialog[open] form") !== null`)
	w.enter("dialog[open] input[type=text]", name)
	w.press("dialog[open]", "Show what would change")
	w.wait(`document.querySelector("dialog[open] table") !== null`)
	w.press("dialog[open]", "Save")
	w.wait(`document.querySelector("dialog[open]") === null`)
	w.contains("#undo", "Name of "+file+" changed")
}

// undo: a change is undone with the bar that follows it, another one with the
// list of changes, and the file has its old content.
func (w *trip) undo() {
	const file = "other.Map.Gbx"
	before := w.content(file)
	w.rename(file, "To be undone")
	if bytes.Equal(w.content(file), before) {
		w.Error("nothing was changed")
	}
	w.press("#undo", "Undo")
	w.contains("#undo", "taken back")
	if !bytes.Equal(w.content(file), before) {
		w.Error("the file does not have its old content")
	}
	w.rename(file, "Once more")
	w.visit("#:changes")
	w.contains("main h1", "Changes of this visit")
	w.press("main tbody tr:first-child", "Undo")
	w.contains("main tbody tr:first-child", "taken back")
	if !bytes.Equal(w.content(file), before) {
		w.Error("the file does not have its old content")
	}
	w.calm()
}

// keptAfterReload: a dropped file has its changes when the page is loaded again,
// and is gone once it is removed.
func (w *trip) keptAfterReload() {
	const file = "meta.Map.Gbx"
	w.rename(file, "Kept")
	want := w.content(file)
	w.do(chromedp.Reload())
	w.settle()
	if !bytes.Equal(w.content(file), want) {
		w.Error("the change is gone after a reload")
	}
	w.visit("#:changes")
	w.contains("main", file)
	eval[any](w.tab, `[...document.querySelectorAll("main tr")].find((r) => r.innerText.includes("`+file+`")).querySelector("button").click(); null`)
	w.wait(`!document.querySelector("main").innerText.includes("` + file + `")`)
	w.calm()
}
