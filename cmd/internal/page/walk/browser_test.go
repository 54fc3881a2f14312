// Package walk goes through the explorer in a real browser: every screen, on
// real files, as a person does. It is a module of its own, so that the driver of
// the browser weighs on nobody's go.mod.
package walk

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"

	"pakbox/internal/testkit/peer"
)

var (
	browser context.Context // nil without a browser
	program string          // pakbox, as it was built for these tests
)

func TestMain(m *testing.M) { os.Exit(run(m)) }

func run(m *testing.M) int {
	dir, err := os.MkdirTemp("", "pakbox-walk-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	program = filepath.Join(dir, "pakbox")
	build := exec.Command("go", "build", "-o", program, "./cmd/pakbox")
	build.Dir = filepath.Join("..", "..", "..", "..")
	if out, err := build.CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "%v\n%s", err, out)
		return 1
	}
	if _, err := exec.LookPath("chromium"); err == nil {
		ctx, stop := chromedp.NewExecAllocator(context.Background(),
			append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath("chromium"), chromedp.NoSandbox,
				chromedp.Flag("enable-unsafe-swiftshader", true), chromedp.WindowSize(1280, 800))...)
		defer stop()
		first, done := chromedp.NewContext(ctx)
		defer done()
		if err := chromedp.Do(first); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		browser = first
	}
	return m.Run()
}

// tab is a page in the browser, and what went wrong on it.
type tab struct {
	*testing.T
	ctx     context.Context
	address string // the address that was opened
	base    string // the address that the page is served at
	*notes
}

// notes are things that happened and must not happen on any page.
type notes struct {
	mu      sync.Mutex
	trouble []string
}

// open opens the page at an address.
func open(t *testing.T, address string) *tab {
	t.Helper()
	peer.Program(t, "chromium", "chromium")
	ctx, done := chromedp.NewContext(browser, chromedp.WithNewBrowserContext())
	ctx, cancel := context.WithTimeout(ctx, 30*time.Minute)
	t.Cleanup(func() { cancel(); done() })
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	p := &tab{T: t, ctx: ctx, address: address, base: u.Scheme + "://" + u.Host + "/", notes: new(notes)}
	if err := chromedp.Do(ctx); err != nil { // the tab lives as long as the context of its first step
		t.Fatal(err)
	}
	if _, err := chromedp.Call(ctx, dom.Disable, cdp.Empty{}); err != nil { // see act_test.go
		t.Fatal(err)
	}
	if _, err := chromedp.Call(ctx, network.Enable, network.EnableParams{}); err != nil {
		t.Fatal(err)
	}
	go p.watchConsole()
	go p.watchRequests()
	p.do(chromedp.Navigate(address))
	p.settle()
	return p
}

func (p *tab) do(steps ...chromedp.Action[chromedp.Void]) {
	p.Helper()
	ctx, done := context.WithTimeout(p.ctx, 2*patience)
	defer done()
	if err := chromedp.Do(ctx, steps...); err != nil {
		p.Fatal(p.why(err))
	}
}

// blame notes something that must not happen on any page.
func (p *tab) blame(format string, args ...any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.trouble = append(p.trouble, fmt.Sprintf(format, args...))
}

func (p *tab) watchConsole() {
	for m, err := range chromedp.Console(p.ctx) {
		if err != nil {
			return
		}
		// Answers that say what is wrong with a file are logged by the browser,
		// and shown by the page.
		if m.Source == "network" && strings.Contains(m.URL, "/api/") {
			continue
		}
		if m.Type == chromedp.ConsoleError || m.Type == chromedp.ConsoleException || m.Source == "security" {
			p.blame("console: %s", m)
		}
	}
}

// watchRequests sees that nothing is asked of anybody else.
func (p *tab) watchRequests() {
	for e, err := range chromedp.Events(p.ctx, network.RequestWillBeSent) {
		if err != nil {
			return
		}
		u := e.Request.URL
		if !strings.HasPrefix(u, p.base) && !strings.HasPrefix(u, "data:") && !strings.HasPrefix(u, "blob:"+p.base[:len(p.base)-1]) && u != "about:blank" {
			p.blame("a request elsewhere: %s", u)
		}
	}
}

// calm fails the test if something happened that must not.
func (p *tab) calm() {
	p.Helper()
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, s := range p.trouble {
		p.Error(s)
	}
	p.trouble = nil
}

// visit goes to a view by its address and waits until it is there.
func (p *tab) visit(hash string) {
	p.Helper()
	eval[any](p, fmt.Sprintf(`document.getElementById("main").setAttribute("aria-busy","true"); if (location.hash === %[1]s) dispatchEvent(new Event("hashchange")); else location.hash = %[1]s; null`, quote(hash)))
	p.settle()
}

// settle waits until the screen is complete.
func (p *tab) settle() {
	p.Helper()
	p.wait(`document.getElementById("main")?.getAttribute("aria-busy") === "false"`)
}

// patience is how long a page may take for one step on a machine that has
// other things to do.
const patience = time.Minute

// until evaluates a condition repeatedly until it is true, and reports whether it became
// true. A test never reads the page only once: rows of a list, for example,
// come with the first frame in which the list has a height.
func until(so func() bool) bool {
	for end := time.Now().Add(patience); ; time.Sleep(50 * time.Millisecond) {
		if so() {
			return true
		}
		if time.Now().After(end) {
			return false
		}
	}
}

// wait waits until an expression is true.
func (p *tab) wait(expression string) {
	p.Helper()
	if !until(func() bool { return eval[bool](p, "Boolean("+expression+")") }) {
		p.Fatalf("never: %s\n%s", expression, p.text("body"))
	}
}

// text is what an element shows.
func (p *tab) text(selector string) string {
	p.Helper()
	return eval[string](p, fmt.Sprintf(`document.querySelector(%s)?.innerText ?? ""`, quote(selector)))
}

// count is how many elements there are.
func (p *tab) count(selector string) int {
	p.Helper()
	return eval[int](p, fmt.Sprintf(`document.querySelectorAll(%s).length`, quote(selector)))
}

// unfold opens what is folded away.
func (p *tab) unfold() {
	p.Helper()
	eval[any](p, `document.querySelectorAll("main details").forEach((d) => { d.open = true; }); null`)
}

// enter types into a field.
func (p *tab) enter(selector, text string) {
	p.Helper()
	eval[any](p, fmt.Sprintf(`(() => { const e = document.querySelector(%s); e.focus(); e.select(); })(); null`, quote(selector)))
	p.do(chromedp.KeyEvent(text))
}

// contains fails unless an element comes to show a text.
func (p *tab) contains(selector, want string) {
	p.Helper()
	var got string
	words := func(s string) string { return strings.Join(strings.Fields(s), " ") }
	if !until(func() bool { got = p.text(selector); return strings.Contains(words(got), words(want)) }) {
		p.Errorf("%s shows %q, not %q", selector, got, want)
	}
}

// press clicks the button that begins with a text, when there is one.
func (p *tab) press(within, text string) {
	p.Helper()
	click := fmt.Sprintf(`(() => { const b = [...document.querySelectorAll(%s)].find((b) => (b.innerText.trim() || b.textContent.trim() || b.ariaLabel || "").startsWith(%s) && !b.hidden); b?.click(); return Boolean(b); })()`, quote(within+" button"), quote(text))
	if !until(func() bool { return eval[bool](p, click) }) {
		p.Fatalf("%s has no button %s", within, text)
	}
}

func eval[T any](p *tab, expression string) T {
	p.Helper()
	ctx, done := context.WithTimeout(p.ctx, 2*patience)
	defer done()
	v, err := chromedp.Run(ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		p.Fatalf("%v\n%s", p.why(err), expression)
	}
	return v
}

// why reports, for a step without an answer, whether the page still answers a question that
// does not depend on its content, and which of the browser's processes are busy.
func (p *tab) why(err error) error {
	if !errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	ctx, done := context.WithTimeout(p.ctx, 10*time.Second)
	defer done()
	_, page := chromedp.Run(ctx, chromedp.Evaluate[int]("1 + 1"))
	busy, _ := exec.Command("sh", "-c", "top -b -n 2 -d 2 -w 200 | tail -n +8 | grep -i chrom | sort -k 9 -nr | head -6; ps -eo pid,stat,wchan:20,time,args | grep -o '.*--type=[a-z]*' | cut -c1-200").CombinedOutput()
	return fmt.Errorf("no answer for %v: %w; 1 + 1 is then answered with %v; the browser's processes:\n%s", 2*patience, err, page, busy)
}

func quote(s string) string {
	data, _ := json.Marshal(s)
	return string(data)
}

// size gives the page a width, and the system a theme.
func (p *tab) size(width int64, theme string) {
	p.Helper()
	p.do(chromedp.EmulateViewport(width, 800))
	if _, err := chromedp.Call(p.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: theme}},
	}); err != nil {
		p.Fatal(err)
	}
}

// shoot takes a picture of the page, into the folder that PAKBOX_SHOTS names.
func (p *tab) shoot(name string) {
	p.Helper()
	dir := os.Getenv("PAKBOX_SHOTS")
	if dir == "" {
		return
	}
	data, err := chromedp.Run(p.ctx, chromedp.CaptureScreenshot())
	if err != nil {
		p.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, name+".png"), data, 0o666); err != nil {
		p.Fatal(err)
	}
}

// served is the address of a pakbox that serves these paths.
func served(t *testing.T, args ...string) string {
	t.Helper()
	address, _ := started(t, args...)
	return address
}

// started is served with a function that stops pakbox before the end of the test.
func started(t *testing.T, args ...string) (address string, stop func()) {
	t.Helper()
	cmd := exec.Command(program, append([]string{"serve", "--no-browser"}, args...)...)
	cache := t.TempDir() // for the index that pakbox makes of the served folders
	cmd.Env = append(os.Environ(), "XDG_CACHE_HOME="+cache)
	var trouble bytes.Buffer
	cmd.Stderr = &trouble
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	stop = sync.OnceFunc(func() {
		cmd.Process.Signal(os.Interrupt)
		if err := cmd.Wait(); err != nil || trouble.Len() > 0 {
			t.Errorf("pakbox serve ended with %v\n%s", err, &trouble)
		}
	})
	t.Cleanup(stop)
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatalf("%v\n%s", err, &trouble)
	}
	return strings.TrimSpace(line), stop
}

// printedJSON is the output of a command of pakbox with --json.
func printedJSON(t *testing.T, args ...string) map[string]any {
	t.Helper()
	out, err := exec.Command(program, append(args, "--json")...).Output()
	if err != nil {
		t.Fatalf("pakbox %s: %v", strings.Join(args, " "), err)
	}
	var v map[string]any
	if err := json.Unmarshal(out, &v); err != nil {
		t.Fatal(err)
	}
	return v
}
