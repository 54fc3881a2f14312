// Package report writes a pakset as a static web site: a page for each table with
// pictures, prices, years and speeds of the objects, industry chains as a graph, years in
// which nothing can be bought, vehicles without a successor, and the changes since
// another release. Facts come from the tables of package simutrans.
package report

import (
	"bytes"
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"fmt"
	"html"
	"image"
	"image/png"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"pakbox/archive"
	"pakbox/fact"
	"pakbox/finding"
	"pakbox/simutrans"
	"pakbox/simutrans/node"
	"pakbox/simutrans/picture"
)

// Pakset is the pakset of a report.
type Pakset struct {
	Name     string
	Objects  []*node.Node
	Findings []finding.Finding
	Since    string       // name of the older release, "" for none
	Old      []*node.Node // objects of the release to compare with
}

//go:embed site.css
var style []byte

//go:embed site.js
var script []byte

// entry is an object in a table.
type entry struct {
	node  *node.Node
	facts fact.Record
	image string // file of its picture, "" if it has none
}

// site is a report that is being written.
type site struct {
	*Pakset
	dir    string
	tables map[string][]*entry // rows of each table, by the table's name
}

// Write writes the report into a folder that exists.
func Write(ctx context.Context, dir string, p *Pakset) error {
	s := &site{Pakset: p, dir: dir, tables: map[string][]*entry{}}
	for _, sub := range []string{"images", "sheets"} {
		if err := os.Mkdir(filepath.Join(dir, sub), 0o777); err != nil {
			return err
		}
	}
	for _, t := range simutrans.Tables {
		if err := s.table(ctx, t); err != nil {
			return err
		}
	}
	pages := map[string][]byte{"site.css": style, "site.js": script, "index.html": s.index()}
	for _, t := range simutrans.Tables {
		pages[t.Name+".html"] = s.tablePage(t)
	}
	if p.Since != "" {
		pages["changes.html"] = s.changesPage()
	}
	for name, data := range pages {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o666); err != nil {
			return err
		}
	}
	return nil
}

// table collects the objects of a table and draws them, each alone and all on a sheet.
func (s *site) table(ctx context.Context, t *simutrans.Table) error {
	var drawn []picture.Named
	for _, n := range s.Objects {
		if err := ctx.Err(); err != nil {
			return err
		}
		facts, err := t.Of(n)
		if err != nil || facts == nil {
			continue // the check reports what is wrong with the object
		}
		e := &entry{node: n, facts: facts}
		if m, err := picture.Sprite(n, view(n), picture.Options{}); err == nil && !empty(m) {
			e.image = imageName(simutrans.FolderName(n))
			if err := s.png(filepath.Join("images", e.image), m); err != nil {
				return err
			}
			drawn = append(drawn, picture.Named{Name: node.Display(n.Name()), Image: m})
		}
		s.tables[t.Name] = append(s.tables[t.Name], e)
	}
	if len(drawn) == 0 {
		return nil
	}
	return s.png(filepath.Join("sheets", t.Name+".png"), picture.Contact(s.Name+": "+t.Name, drawn))
}

// Generator is a line of every page, by which a report is recognised.
const Generator = `<meta name="generator" content="pakbox, report of a pakset">`

// imageName returns the name of an object's image. Systems allow names of 255 bytes.
func imageName(object string) string {
	const most = 200
	if len(object) > most {
		sum := sha256.Sum256([]byte(object))
		object = strings.ToValidUTF8(object[:most], "") + "-" + hex.EncodeToString(sum[:8])
	}
	return object + ".png"
}

// view returns the view for lists: vehicles drive to the west, as in the game's lists.
func view(n *node.Node) map[string]string {
	for _, axis := range picture.Axes(n) {
		if axis.Name == "direction" && slices.ContainsFunc(axis.Values, func(v picture.Value) bool { return v.Value == "w" }) {
			return map[string]string{axis.Name: "w"}
		}
	}
	return nil
}

func empty(m *image.NRGBA) bool {
	return len(bytes.TrimLeft(m.Pix, "\x00")) == 0
}

func (s *site) png(name string, m image.Image) error {
	var b bytes.Buffer
	if err := png.Encode(&b, m); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(s.dir, name), b.Bytes(), 0o666)
}

// text returns a fact as escaped text.
func (e *entry) text(name string) string {
	v, _ := e.facts.Get(name)
	if v.Value == nil {
		return ""
	}
	return html.EscapeString(v.Text())
}

func (e *entry) number(name string) float64 {
	switch v, _ := e.facts.Get(name); n := v.Value.(type) {
	case int64:
		return float64(n)
	case float64:
		return n
	case int:
		return float64(n)
	}
	return 0
}

func (e *entry) isNumber(name string) bool {
	v, _ := e.facts.Get(name)
	return v.Value != nil && v.Kind.Numeric()
}

func (e *entry) list(name string) []string {
	v, _ := e.facts.Get(name)
	list, _ := v.Value.([]string)
	return list
}

// page returns content with the head and foot of every page.
func (s *site) page(title, content string) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">`+Generator+`
<title>%s: %s</title><link rel="stylesheet" href="site.css"><script src="site.js" defer></script></head><body>
<header><a class="name" href="index.html">%[1]s</a><nav>`, html.EscapeString(s.Name), title)
	link := func(file, name string) {
		mark := ""
		if name == title {
			mark = ` aria-current="page"`
		}
		fmt.Fprintf(&b, `<a href="%s"%s>%s</a>`, file, mark, name)
	}
	for _, t := range simutrans.Tables {
		link(t.Name+".html", t.Name)
	}
	if s.Since != "" {
		link("changes.html", "changes")
	}
	fmt.Fprintf(&b, "</nav></header>\n<main>%s</main></body></html>\n", content)
	return []byte(b.String())
}

// index returns the first page: the tables, and lists of things that authors look for.
func (s *site) index() []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "<h1>%s</h1><ul class=\"cards\">", html.EscapeString(s.Name))
	for _, t := range simutrans.Tables {
		fmt.Fprintf(&b, `<li><a href="%s.html"><b>%d</b> %[1]s</a></li>`, t.Name, len(s.tables[t.Name]))
	}
	fmt.Fprintf(&b, `<li><a href="#findings"><b>%d</b> findings</a></li></ul>`, len(s.Findings))
	b.WriteString(s.timelines())
	b.WriteString(s.graph())
	b.WriteString(`<h2 id="findings">Findings</h2>`)
	if len(s.Findings) == 0 {
		b.WriteString("<p>The check finds nothing.</p>")
	} else {
		b.WriteString(`<div class="scroll"><table><thead><tr><th>Severity<th>Object<th>Message</tr></thead><tbody>`)
		for _, f := range s.Findings {
			fmt.Fprintf(&b, `<tr><td class="%s">%[1]s<td>%s<td>%s</tr>`, f.Severity, html.EscapeString(f.Entry), html.EscapeString(f.Message))
		}
		b.WriteString("</tbody></table></div>")
	}
	return s.page("overview", b.String())
}

// tablePage is the page of a table.
func (s *site) tablePage(t *simutrans.Table) []byte {
	var b strings.Builder
	entries := s.tables[t.Name]
	fmt.Fprintf(&b, `<h1>%d %s</h1><p>%s</p>`, len(entries), t.Name, html.EscapeString(t.Doc))
	if len(entries) == 0 {
		return s.page(t.Name, b.String())
	}
	b.WriteString(`<p class="tools"><label>Filter <input type="search" id="filter"></label>`)
	drawn := slices.ContainsFunc(entries, func(e *entry) bool { return e.image != "" })
	if drawn {
		fmt.Fprintf(&b, ` <a href="sheets/%s.png">All on one sheet</a>`, t.Name)
	}
	b.WriteString(`</p><div class="scroll"><table class="sorted"><thead><tr>`)
	if drawn {
		b.WriteString("<th>")
	}
	columns := append(append([]string{}, t.Usual...), "copyright")
	for _, c := range columns {
		class := ""
		if slices.ContainsFunc(entries, func(e *entry) bool { return e.isNumber(c) }) {
			class = ` class="n"`
		}
		fmt.Fprintf(&b, `<th%s><button>%s</button>`, class, strings.ReplaceAll(c, "_", " "))
	}
	more := map[string]map[string][]string{}
	if t.Name == "goods" {
		more = s.trade()
		b.WriteString("<th>made by<th>needed by<th>carried by")
	}
	b.WriteString("</tr></thead><tbody>")
	for _, e := range entries {
		name := node.Display(e.node.Name())
		fmt.Fprintf(&b, `<tr id="%s">`, html.EscapeString(name))
		if drawn {
			b.WriteString(`<td class="picture">`)
		}
		if e.image != "" {
			fmt.Fprintf(&b, `<img loading="lazy" alt="" src="images/%s">`, url.PathEscape(e.image))
		}
		for _, c := range columns {
			class := ""
			switch v, _ := e.facts.Get(c); {
			case e.isNumber(c):
				class = ` class="n"`
			case v.Value != nil && v.Kind == fact.List:
				class = ` class="long"`
			}
			fmt.Fprintf(&b, "<td%s>%s", class, e.text(c))
		}
		if t.Name == "goods" {
			fmt.Fprintf(&b, `<td class="long">%s<td class="long">%s<td class="n">%d`, links("factories", more["made"][name]), links("factories", more["needed"][name]), len(more["carried"][name]))
		}
		b.WriteString("</tr>\n")
	}
	b.WriteString("</tbody></table></div>")
	return s.page(t.Name, b.String())
}

// links returns names as links to their rows.
func links(table string, names []string) string {
	var list []string
	for _, name := range names {
		list = append(list, fmt.Sprintf(`<a href="%s.html#%s">%s</a>`, table, url.PathEscape(name), html.EscapeString(name)))
	}
	return strings.Join(list, ", ")
}

// trade returns for each good which factories make and need it, and which vehicles carry
// it.
func (s *site) trade() map[string]map[string][]string {
	more := map[string]map[string][]string{"made": {}, "needed": {}, "carried": {}}
	for _, f := range s.tables["factories"] {
		name := node.Display(f.node.Name())
		for _, good := range f.list("makes") {
			more["made"][good] = append(more["made"][good], name)
		}
		for _, good := range f.list("needs") {
			more["needed"][good] = append(more["needed"][good], name)
		}
	}
	for _, v := range s.tables["vehicles"] {
		if good, ok := v.facts.Get("freight"); ok && v.number("capacity") > 0 {
			for _, other := range s.sameCategory(good.Text()) {
				more["carried"][other] = append(more["carried"][other], node.Display(v.node.Name()))
			}
		}
	}
	return more
}

// sameCategory lists the goods that a vehicle for this good carries: all goods of its
// category. A good of category 0 has no others.
func (s *site) sameCategory(good string) []string {
	category := 0.0
	for _, g := range s.tables["goods"] {
		if node.Display(g.node.Name()) == good {
			category = g.number("category")
		}
	}
	if category == 0 {
		return []string{good}
	}
	var list []string
	for _, g := range s.tables["goods"] {
		if g.number("category") == category {
			list = append(list, node.Display(g.node.Name()))
		}
	}
	return list
}

// changesPage lists the changes since another release.
func (s *site) changesPage() []byte {
	var b strings.Builder
	changes := simutrans.Diff(s.Old, s.Objects)
	fmt.Fprintf(&b, "<h1>Changes since %s</h1>", html.EscapeString(s.Since))
	for _, kind := range []archive.ChangeKind{archive.Added, archive.Removed, archive.Changed} {
		var rows strings.Builder
		count := 0
		for _, d := range changes {
			if d.Kind != kind {
				continue
			}
			count++
			fmt.Fprintf(&rows, "<tr><td>%s<td>", html.EscapeString(d.Object))
			for _, f := range d.Fields {
				fmt.Fprintf(&rows, "%s: %s → %s<br>", html.EscapeString(f.Field), html.EscapeString(f.Old), html.EscapeString(f.New))
			}
			if len(d.Images) > 0 {
				fmt.Fprintf(&rows, "%d images", len(d.Images))
			}
			rows.WriteString("</tr>")
		}
		fmt.Fprintf(&b, `<h2>%d %s</h2>`, count, kind)
		if count > 0 {
			fmt.Fprintf(&b, `<div class="scroll"><table><tbody>%s</tbody></table></div>`, &rows)
		}
	}
	return s.page("changes", b.String())
}
