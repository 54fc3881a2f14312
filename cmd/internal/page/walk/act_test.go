package walk

import (
	"fmt"

	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// The actions of a person on a page. Elements are found by the page's own JavaScript and not by
// the driver, which for this copies the document of the page: it asks for the document
// again with every load, and until the page answers, whoever looks for an element waits
// without regard to its deadline. A lost answer then stops the test.

// find waits until an element is there.
func (p *tab) find(selector string) {
	p.Helper()
	p.wait(fmt.Sprintf(`document.querySelector(%s) !== null`, quote(selector)))
}

// click clicks the middle of an element with the mouse.
func (p *tab) click(selector string) {
	p.Helper()
	p.wait(fmt.Sprintf(`document.querySelector(%s)?.checkVisibility()`, quote(selector)))
	middle := eval[[]float64](p, fmt.Sprintf(`(() => {
		const e = document.querySelector(%s);
		e.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
		const r = e.getBoundingClientRect();
		return [r.left + r.width / 2, r.top + r.height / 2];
	})()`, quote(selector)))
	p.do(chromedp.MouseClickXY(middle[0], middle[1]))
}

// focus gives an element the keyboard, and types keys.
func (p *tab) focus(selector string, keys ...string) {
	p.Helper()
	p.find(selector)
	eval[any](p, fmt.Sprintf(`document.querySelector(%s).focus(); null`, quote(selector)))
	for _, key := range keys {
		p.do(chromedp.KeyEvent(key))
	}
}

// choose sets a field, as a choice from its list does.
func (p *tab) choose(selector, value string) {
	p.Helper()
	p.find(selector)
	eval[any](p, fmt.Sprintf(`(() => { const e = document.querySelector(%s); e.value = %s; e.dispatchEvent(new Event("change")); })(); null`, quote(selector), quote(value)))
}

// upload chooses files of this computer in a field.
func (p *tab) upload(selector string, files ...string) {
	p.Helper()
	p.find(selector)
	field, err := chromedp.Call(p.ctx, runtime.Evaluate, runtime.EvaluateParams{Expression: fmt.Sprintf(`document.querySelector(%s)`, quote(selector))})
	if err != nil {
		p.Fatal(p.why(err))
	}
	if _, err := chromedp.Call(p.ctx, dom.SetFileInputFiles, dom.SetFileInputFilesParams{Files: files, ObjectID: field.Result.ObjectID}); err != nil {
		p.Fatal(p.why(err))
	}
}
