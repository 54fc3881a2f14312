package main

import (
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"
)

// page is a Markdown page with what came of every package, the last time that
// it was tried. A run replaces the packages it tried and keeps the others.
type page struct {
	rows     map[string]string // by package: its line in the table
	sections map[string]string // by package: the changes that went unnoticed
}

const pageHead = `# Mutation

` + "`make mutate`" + ` changes the code of a package in one place, as a slip of the hand
would, and runs the package's tests; then in another place, as many as the sample
has. The aim is that 85 of 100 are noticed in every package. What no test notices
is listed below: the same program written in another way (the size of a buffer, a
budget of memory), or a test that is still missing. Where the real files are not
beside the checkout, the tests that compare with them do not run, and less is
noticed. Packages that are not in the table were not measured.

| package | changes that can be made | tried | noticed | of 100 | noticed by hanging | seed | tests of | date |
|---|---|---|---|---|---|---|---|---|
`

var (
	rowLine     = regexp.MustCompile(`(?m)^\| (\./\S+) \|.*$`)
	sectionHead = regexp.MustCompile(`(?m)^## (\./\S+)\n`)
)

// readPage reads what print wrote.
func readPage(text string) *page {
	p := &page{map[string]string{}, map[string]string{}}
	for _, row := range rowLine.FindAllStringSubmatch(text, -1) {
		p.rows[row[1]] = row[0]
	}
	heads := sectionHead.FindAllStringSubmatchIndex(text, -1)
	for i, head := range heads {
		end := len(text)
		if i+1 < len(heads) {
			end = heads[i+1][0]
		}
		p.sections[text[head[2]:head[3]]] = strings.TrimSpace(text[head[1]:end])
	}
	return p
}

// set puts a result into the page.
func (p *page) set(r *result, also []string, now time.Time) {
	p.rows[r.pkg] = fmt.Sprintf("| %s | %d | %d | %d | %d | %d | %d | %s | %s |", r.pkg, r.places, r.tried, r.noticed,
		r.ofHundred(), r.hung, r.seed, strings.Join(append([]string{"its own"}, also...), ", "), now.UTC().Format(time.DateOnly))
	delete(p.sections, r.pkg)
	if len(r.unnoticed) > 0 {
		p.sections[r.pkg] = "- " + strings.Join(r.unnoticed, "\n- ")
	}
}

func (p *page) print(w io.Writer) {
	fmt.Fprint(w, pageHead)
	for _, pkg := range slices.Sorted(maps.Keys(p.rows)) {
		fmt.Fprintln(w, p.rows[pkg])
	}
	for _, pkg := range slices.Sorted(maps.Keys(p.sections)) {
		fmt.Fprintf(w, "\n## %s\n\n%s\n", pkg, p.sections[pkg])
	}
}
