package walk

import (
	"net/url"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"

	"pakbox/internal/testkit/corpus"
)

// TestRestart stops pakbox while a page is open, and starts it again.
func TestRestart(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile(filepath.Join(corpus.Dir(t, "gbx"), "03043000", "419a42a7df54.Map.Gbx"))
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "files")
	if err := os.Mkdir(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "map.Map.Gbx"), data)
	address, stop := started(t, dir)
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	w := &trip{tab: open(t, address), dir: dir, root: "files"}
	w.visit(w.at("map.Map.Gbx", ""))
	w.pictures()
	stop()
	// The content stays on screen; the next step shows instructions.
	w.click(`.tabs a[href$="tab=blocks"]`)
	w.contains("#notice", "pakbox does not answer. It was stopped, or the connection is lost. Start it again")
	w.settle()
	w.contains("main", "pakbox does not answer")
	// After a restart the token differs: the page explains where the new address is, also after
	// a reload.
	address, stop = started(t, "--listen", u.Host, dir)
	w.contains("#notice", "pakbox was started again")
	w.do(chromedp.Reload())
	w.contains("main h1", "This browser has not been let in")
	w.do(chromedp.Navigate(address))
	w.settle()
	w.visit(w.at("map.Map.Gbx", "?tab=blocks"))
	w.wait(`document.querySelectorAll(".list-row").length > 10`)
	stop()
	// Without a token the page goes on by itself.
	_, stop = started(t, "--listen", u.Host, "--no-token", dir)
	w.do(chromedp.Reload())
	w.settle()
	w.wait(`document.querySelectorAll(".list-row").length > 10`)
	stop()
	w.click(`.tabs a[href$="tab=files"]`)
	w.contains("#notice", "pakbox does not answer")
	started(t, "--listen", u.Host, "--no-token", dir)
	w.wait(`document.querySelector("#notice").innerText === ""`)
	w.contains("main", "thumbnail.jpg")
}
