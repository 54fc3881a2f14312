package object

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// The tables of a type. Fields has a line for each key of a source, and for
// each field that is more than a plain number:
//
//	name  kind  key|key=default  low..high@version  -- sentence for the author
//
// The name is that of the field in the body, or "." for a key that a Build
// function reads. The kind is one of kinds.go. Of several keys the first that
// a source has counts; "~" in the place of "=" leaves the field out of a
// decompiled source where it has its default. A default may be an earlier
// field. The range is there if makeobj makes a value fit it, since that version
// of the body. "#" in a key stands for the index of a part, such as a good of a
// factory. Extended has the lines that Simutrans-Extended changes or adds.
//
// Bodies has a line for each form of the body, with the range of versions
// ("x9.5-6" is Extended's 5 and 6 on top of Standard's 9) and the fields in
// their order:
//
//	6-13: price:u32,i64@12 weight(oldmass):u16@-9 $sound_file[length:u8]?sound=-2
//
//	name:u32,i64@12    a number of 32 bits, since version 12 of 64
//	name:u16@9         there since version 9; @-9 up to it, @3-4 in between
//	name(kind):u16     of another kind than in the table of fields
//	name[count:u8]:u16 a list after its count; [count] if the count is elsewhere
//	name[4]{a b}:i16   name_0_a, name_0_b, name_1_a …; without names name_0 …
//	$name[length:u8]   a text; [4] of four letters, [*] up to the end
//	…?sound=-2         only if that holds of an earlier field; also != and &

// spec is a line of the table of fields.
type spec struct {
	name  string // name of the field; "." for a key that is not a field
	kind  *kind
	keys  []string // keys in the source language; empty if sources cannot set it
	def   int64
	word  string // default of a key that is neither a field nor a number
	like  string // the field that holds the default, "" if def does
	isSet bool   // the table has a default
	quiet bool   // left out of a source if it has its default
	limit *limit
	about string // one sentence
}

// limit is a range to which makeobj limits values.
type limit struct {
	low, high int64
	since     int // first version of the body with the limit
}

// layout describes the body of one version.
type layout struct {
	items []item
	specs []*spec // lines of the table that are in this body, in the table's order
}

// item is one field of a layout, or one list.
type item struct {
	spec  *spec
	slot  int // position of its value in a body
	width width
	when  condition

	text    bool
	list    bool
	counter *item    // the count before a list or text; nil if the count is elsewhere
	count   int      // the slot of the count
	fixed   int      // length of a text without a count; -1 for up to the end
	more    int      // bytes of a text that its count does not include
	members []string // names of the members of a group, for a list of groups
}

// condition states when a field exists.
type condition struct {
	op    string // operator; "" means always
	slot  int
	value int64
}

func (c condition) holds(nums []int64) bool {
	switch c.op {
	case "=":
		return nums[c.slot] == c.value
	case "!=":
		return nums[c.slot] != c.value
	case "&":
		return nums[c.slot]&c.value != 0
	}
	return true
}

// width is the size of an integer in a body; negative for signed integers.
type width int

var widths = map[string]width{"u8": 1, "u16": 2, "u32": 4, "i8": -1, "i16": -2, "i32": -4, "i64": -8}

func (w width) bytes() int {
	if w < 0 {
		return int(-w)
	}
	return int(w)
}

// bounds returns the smallest and largest value of the width.
func (w width) bounds() (low, high int64) {
	bits := uint(w.bytes() * 8)
	if w < 0 {
		return -1 << (bits - 1), 1<<(bits-1) - 1
	}
	return 0, 1<<bits - 1
}

// wrap cuts a value to this width, as C does.
func (w width) wrap(v int64) int64 {
	bits := uint(64 - w.bytes()*8)
	if w < 0 {
		return v << bits >> bits
	}
	return int64(uint64(v) << bits >> bits)
}

// parse parses the tables. A mistake in a table is a bug of this package. Any test that
// uses the type finds it.
func (t *Type) parse() {
	t.standard = parseSpecs(t.Fields, nil)
	t.extended = parseSpecs(t.Extended, t.standard)
	t.slots, t.layouts = map[string]int{}, map[Version]*layout{}
	for _, line := range t.Bodies {
		versions, items, _ := strings.Cut(line, ":")
		for _, v := range parseRange(versions) {
			p := tableParser{t: t, specs: t.standard, version: v.Standard}
			if v.IsExt {
				p.specs, p.version = t.extended, v.Extended
			} else {
				t.newest = max(t.newest, v.Standard)
			}
			t.layouts[v] = p.layout(items)
		}
	}
}

func bad(format string, args ...any) { panic("simutrans/object: " + fmt.Sprintf(format, args...)) }

func number(s string) int64 {
	n, err := strconv.ParseInt(s, 0, 64)
	if err != nil {
		bad("%q is not a number", s)
	}
	return n
}

// parseSpecs parses lines of fields. A line replaces an earlier one with the same name or
// key. If it has no sentence, it keeps the sentence of the earlier one.
func parseSpecs(table string, base []*spec) []*spec {
	specs := slices.Clone(base)
	for line := range strings.Lines(table) {
		line, about, _ := strings.Cut(strings.TrimSpace(line), " -- ")
		words := strings.Fields(line)
		if len(words) == 0 {
			continue
		}
		s := parseSpec(words)
		s.about = about
		i := slices.IndexFunc(specs, func(old *spec) bool {
			return old.name == s.name && (s.name != "." || slices.Equal(old.keys, s.keys))
		})
		if i < 0 {
			specs = append(specs, s)
			continue
		}
		if s.about == "" {
			s.about = specs[i].about
		}
		specs[i] = s
	}
	return specs
}

func parseSpec(words []string) *spec {
	if len(words) == 1 || kinds()[words[1]] == nil {
		bad("%q has no kind", words)
	}
	s := &spec{name: words[0], kind: kinds()[words[1]]}
	if len(words) > 2 {
		s.parseKeys(words[2])
	}
	if len(words) > 3 {
		bounds, since, _ := strings.Cut(words[3], "@")
		low, high, _ := strings.Cut(bounds, "..")
		s.limit = &limit{number(low), number(high), int(number(since))}
	}
	return s
}

// parseKeys reads the keys and their default.
func (s *spec) parseKeys(word string) {
	if i := strings.IndexAny(word, "=~"); i >= 0 {
		def := word[i+1:]
		s.quiet, s.isSet = word[i] == '~', true
		switch {
		case s.name == ".":
			s.word = def
		case def[0] >= 'a' && def[0] <= 'z':
			s.like = def
		default:
			s.def = number(def)
		}
		word = word[:i]
	}
	s.keys = strings.Split(word, "|")
}

// parseRange lists the versions of a range such as 6-13 or x9.5-6.
func parseRange(s string) (list []Version) {
	standard, s, isExt := strings.Cut(strings.TrimPrefix(s, "x"), ".")
	if !isExt {
		s = standard
	}
	first, last, isRange := strings.Cut(s, "-")
	if !isRange {
		last = first
	}
	for n := number(first); n <= number(last); n++ {
		if isExt {
			list = append(list, Version{Standard: int(number(standard)), Extended: int(n), IsExt: true})
		} else {
			list = append(list, Version{Standard: int(n)})
		}
	}
	return list
}

type tableParser struct {
	t       *Type
	specs   []*spec
	version int
}

func (p *tableParser) layout(items string) *layout {
	l := &layout{}
	for _, word := range splitItems(items) {
		l.items = append(l.items, p.item(word)...)
	}
	for _, s := range p.specs {
		for _, it := range l.items {
			if it.spec.name == s.name {
				l.specs = append(l.specs, it.spec) // its kind may differ in this body
				break
			}
		}
	}
	return l
}

// splitItems splits at spaces, but not inside braces.
func splitItems(s string) []string {
	depth := 0
	return strings.FieldsFunc(s, func(r rune) bool {
		switch r {
		case '{':
			depth++
		case '}':
			depth--
		}
		return depth == 0 && r == ' '
	})
}

// item parses one word of a body. It returns nothing if this version does not have the
// field.
func (p *tableParser) item(word string) []item {
	word, cond, _ := strings.Cut(word, "?")
	if name, ok := strings.CutPrefix(word, "$"); ok {
		name, count, _ := strings.Cut(strings.TrimSuffix(name, "]"), "[")
		it := item{spec: p.spec(name, ""), slot: p.slot(name), text: true, when: p.condition(cond)}
		p.counter(&it, count)
		return []item{it}
	}
	name, widthWord := cutLast(word, ":")
	w, ok := p.width(widthWord)
	if !ok {
		return nil
	}
	name, kindName, _ := strings.Cut(strings.TrimSuffix(name, ")"), "(")
	name, rest, isList := strings.Cut(name, "[")
	if !isList {
		return []item{{spec: p.spec(name, kindName), slot: p.slot(name), width: w, when: p.condition(cond)}}
	}
	count, group, _ := strings.Cut(rest, "]")
	members := strings.Fields(strings.Trim(group, "{}"))
	if n, err := strconv.Atoi(count); err == nil {
		return p.repeated(name, n, members, w)
	}
	it := item{spec: p.spec(name, kindName), slot: p.slot(name), list: true, width: w, members: members, when: p.condition(cond)}
	p.counter(&it, count)
	return []item{it}
}

// repeated expands a group that occurs a fixed number of times.
func (p *tableParser) repeated(name string, n int, members []string, w width) (items []item) {
	if len(members) == 0 {
		members = []string{""}
	}
	for i := range n * len(members) {
		full := elementName(name, i, members)
		items = append(items, item{spec: p.spec(full, ""), slot: p.slot(full), width: w})
	}
	return items
}

// elementName is the name of the i-th number of a list.
func elementName(name string, i int, members []string) string {
	if len(members) == 0 || members[0] == "" {
		return name + "_" + strconv.Itoa(i)
	}
	return name + "_" + strconv.Itoa(i/len(members)) + "_" + members[i%len(members)]
}

// counter parses the brackets of a list or a text.
func (p *tableParser) counter(it *item, s string) {
	if s == "*" {
		it.fixed = -1
		return
	}
	if n, err := strconv.Atoi(s); err == nil {
		it.fixed = n
		return
	}
	s, more, isMore := strings.Cut(s, "+")
	if isMore {
		it.more = int(number(more))
	}
	name, widthWord, here := strings.Cut(s, ":")
	it.count = p.slot(name)
	if here {
		it.counter = &item{spec: &spec{name: name, kind: counterKind}, slot: it.count, width: widths[widthWord]}
	}
}

func (p *tableParser) condition(s string) condition {
	for _, op := range []string{"!=", "=", "&"} {
		if name, value, ok := strings.Cut(s, op); ok {
			return condition{op, p.slot(name), number(value)}
		}
	}
	if s != "" {
		bad("%q is not a condition", s)
	}
	return condition{}
}

// width chooses the width for this version: the last one that applies.
func (p *tableParser) width(s string) (w width, ok bool) {
	for choice := range strings.SplitSeq(s, ",") {
		name, versions, limited := strings.Cut(choice, "@")
		if widths[name] == 0 {
			bad("%q is not a width", choice)
		}
		if limited {
			from, to, isRange := strings.Cut(versions, "-")
			if from != "" && p.version < int(number(from)) || isRange && p.version > int(number(to)) {
				continue
			}
		}
		w, ok = widths[name], true
	}
	return w, ok
}

func (p *tableParser) slot(name string) int {
	if i, ok := p.t.slots[name]; ok {
		return i
	}
	p.t.slots[name] = len(p.t.slots)
	return p.t.slots[name]
}

// spec returns the table line of a field. If a kind is given, it replaces the kind of the
// line.
func (p *tableParser) spec(name, kindName string) *spec {
	s := &spec{name: name, kind: intKind}
	for _, line := range p.specs {
		if line.name == name {
			s = line
		}
	}
	if kindName == "" {
		return s
	}
	if kinds()[kindName] == nil {
		bad("unknown kind %q", kindName)
	}
	other := *s
	other.kind = kinds()[kindName]
	return &other
}

func cutLast(s, sep string) (before, after string) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):]
	}
	return s, ""
}
