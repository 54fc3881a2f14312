package walk

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// indexed makes an index of a folder beside it, with paths that begin there.
func indexed(t *testing.T, dir string) string {
	t.Helper()
	cmd := exec.Command(program, "index", filepath.Base(dir), "-o", "walk.pakbox.sqlite", "--quiet")
	cmd.Dir = filepath.Dir(dir)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return filepath.Join(filepath.Dir(dir), "walk.pakbox.sqlite")
}

// printed is what a command prints.
func printed(t *testing.T, args ...string) string {
	t.Helper()
	out, err := exec.Command(program, args...).Output()
	if err != nil {
		t.Fatalf("pakbox %s: %v", strings.Join(args, " "), err)
	}
	return string(out)
}

// collectionScreens are those of an index, which the page has at an address.
func collectionScreens(index, address string) []screen {
	at := func(query string) func(*trip) string { return func(*trip) string { return address + query } }
	return []screen{
		{"collection", at(""), func(w *trip) { w.collection(index, address) }},
		{"collection-table", at("?view=table&q=kind%3Dmap"), func(w *trip) { w.foundTable(index) }},
		{"sql", at(""), func(w *trip) { w.sql(index) }},
	}
}

// homeCollection: home has the pictures of maps, and narrows as one types.
func (w *trip) homeCollection() {
	w.pictures()
	w.enter("[data-search]", "odyssey")
	w.wait(`document.querySelectorAll(".gallery .tile-link").length === 1`)
	w.contains(".gallery", "ODYSSEY")
	w.wait(`location.hash === "#/?q=odyssey"`)
	w.enter("[data-search]", " ")
	w.wait(`document.querySelectorAll(".gallery .tile-link").length > 5`)
	w.pictures()
}

// collection checks the pictures, the numbers beside the facets, which are those that
// the command finds, and the CSV, which is the same as the command's.
func (w *trip) collection(index, address string) {
	all := strings.Count(printed(w.T, "find", index, "--csv"), "\n") - 1
	w.contains("#status", fmt.Sprintf("%d files", all))
	w.contains("#command", "pakbox find")
	w.pictures()
	for _, word := range []string{"kind=map", "game=ManiaPlanet 4", "env=Stadium"} {
		n := strings.Count(printed(w.T, "find", index, word, "--csv"), "\n") - 1
		w.wait(fmt.Sprintf(`document.querySelector('.facets [data-word="%s"] .facet-files')?.innerText === "%d"`, word, n))
	}
	w.wait(`document.querySelector('.facets [data-word^="changed="]') !== null`)
	// A facet is pressed, then a text typed after it, and the answer saved.
	eval[any](w.tab, `document.querySelector('.facets [data-word="game=ManiaPlanet 4"]').click(); null`)
	w.wait(`document.querySelector('.facets [data-word="game=ManiaPlanet 4"]')?.getAttribute("aria-pressed") === "true"`)
	w.wait(`document.querySelector("[data-search]").value === 'game="ManiaPlanet 4"'`)
	w.same(index, "game=ManiaPlanet 4")
	w.enter("[data-search]", `game="ManiaPlanet 4" bigbang`)
	w.same(index, "game=ManiaPlanet 4", "bigbang")
	// An error is shown with a hint.
	w.enter("[data-search]", "atuhor=x")
	w.contains("main", "did you mean author")
	w.enter("[data-search]", " ")
	w.contains("#status", fmt.Sprintf("%d files", all))
	w.pictures()
	// A picture leads to its file.
	w.click(`.gallery .tile-link[href$="items.Map.Gbx"]`)
	w.wait("location.hash === " + quote(w.at("items.Map.Gbx", "")))
	w.settle()
	w.visit(address)
	w.pictures()
}

// same: the page's answer, saved as CSV, is what the command prints.
func (w *trip) same(index string, words ...string) {
	w.Helper()
	want := printed(w.T, append([]string{"find", index, "--csv"}, words...)...)
	w.contains("#status", fmt.Sprintf("%d file", strings.Count(want, "\n")-1))
	if !until(func() bool { return w.saved() == want }) {
		w.Errorf("the page saves\n%s\nnot\n%s", w.saved(), want)
	}
}

// saved is the content behind the link that saves: of the server, or made by the page
// when the link is pressed.
func (w *trip) saved() string {
	w.Helper()
	return eval[string](w.tab, `(async () => {
		const link = [...document.querySelectorAll("main a")].find((a) => a.textContent === "Save as CSV"), made = URL.createObjectURL;
		if (link.download) return (await fetch(link.href)).text();
		const blob = await new Promise((resolve) => { URL.createObjectURL = (b) => { URL.createObjectURL = made; resolve(b); return "#"; }; link.click(); });
		return blob.text();
	})()`)
}

func (w *trip) foundTable(index string) {
	n := strings.Count(printed(w.T, "find", index, "kind=map", "--csv"), "\n") - 1
	w.contains("#status", fmt.Sprintf("%d files", n))
	w.wait(fmt.Sprintf(`document.querySelectorAll(".list-row").length === %d`, n))
	w.contains(".list-body", "0:05.978")
}

// sql: a question in SQL has the answer of the command, and a mistake is reported.
func (w *trip) sql(index string) {
	const query = "select path, class_name from files where class_name is not null order by path"
	w.click(".collection-tools > summary")
	w.enter("textarea", query)
	w.press("main", "Ask")
	want := printed(w.T, "sql", index, query, "--csv")
	w.contains("#status", fmt.Sprintf("%d rows", strings.Count(want, "\n")-1))
	w.contains("#command", "pakbox sql")
	if got := w.saved(); got != want {
		w.Errorf("the page saves\n%s\nnot\n%s", got, want)
	}
	w.contains(".list-body", "CGameCtnChallenge")
	w.enter("textarea", "delete from files")
	w.press("main", "Ask")
	w.contains("main .error", "only read")
	w.enter("textarea", query)
	w.press("main", "Ask")
	w.wait(`document.querySelector("main .error") === null`)
}
