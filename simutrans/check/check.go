// Package check looks for mistakes between the objects of a pakset: references to missing
// objects, names that differ only in case, vehicles whose couplings contradict each
// other, goods that no vehicle carries. The compiler cannot find them, because it sees
// one object at a time. Mistakes within one object are found by package lint.
//
// A configuration file turns off a rule that does not fit a pakset, or gives it another
// severity:
//
//	# rule     object              severity
//	outside    *                   off
//	dangling   vehicle.Old*        note
//
// The object is a pattern for type.name; the last matching line counts.
package check

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"io"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"pakbox/fault"
	"pakbox/finding"
	"pakbox/internal/lib/parallel"
	"pakbox/internal/lib/regular"
	"pakbox/simutrans/compile"
	"pakbox/simutrans/lint"
	"pakbox/simutrans/node"
	"pakbox/simutrans/object"
)

// Off is the severity of a finding that is not reported.
const Off finding.Severity = "off"

// ParseSeverity reads the name of a severity, or off.
func ParseSeverity(s string) (finding.Severity, error) {
	switch severity := finding.Severity(s); severity {
	case "info": // the former name of notes
		return finding.Note, nil
	case Off, finding.Note, finding.Warning, finding.Error:
		return severity, nil
	}
	return "", fmt.Errorf("unknown severity %q; expected one of off, note, warning, error", s)
}

// Object is one object of a pakset.
type Object struct {
	Node *node.Node
	Body *object.Body
	Name string
	File string

	isLinted bool // the compiler has already linted the object
}

// ID is the name of an object in findings and configurations.
func (o *Object) ID() string { return o.Node.Type.Name() + "." + o.Name }

// Set is a pakset.
type Set struct {
	Objects []*Object
	broken  []finding.Finding
}

// Load reads .pak files, given directly or in folders and their subfolders. A .dat file,
// and a folder without .pak files, are sources: c compiles them in memory.
func Load(ctx context.Context, paths []string, c *compile.Compiler) (*Set, error) {
	var files, sources []string
	for _, path := range paths {
		inside, err := node.Files([]string{path}, ".pak")
		if err != nil {
			return nil, err
		}
		if len(inside) > 0 && !strings.EqualFold(filepath.Ext(inside[0]), ".dat") {
			files = append(files, inside...)
		} else {
			sources = append(sources, path)
		}
	}
	set, err := LoadFiles(ctx, files, func(name string) ([]byte, error) { return regular.Read(name, node.MaxFile) })
	if err == nil {
		err = set.compile(ctx, sources, c)
	}
	return set, err
}

// compile adds the objects of sources, and the problems found in them.
func (s *Set) compile(ctx context.Context, paths []string, c *compile.Compiler) error {
	sources, err := node.Files(paths, ".dat")
	if err != nil {
		return err
	}
	work := func(_ context.Context, i int) (*compile.Source, error) { return c.File(sources[i]), nil }
	sink := func(i int, source *compile.Source) error {
		for _, o := range source.Objects {
			s.Add(o.Node, sources[i])
			s.Objects[len(s.Objects)-1].isLinted = true
		}
		s.broken = append(s.broken, source.Problems...)
		return nil
	}
	return parallel.Ordered(ctx, 0, len(sources), 0, func(int) int64 { return 0 }, work, sink)
}

// LoadFiles reads .pak files, each with read.
func LoadFiles(ctx context.Context, files []string, read func(name string) ([]byte, error)) (*Set, error) {
	set := &Set{}
	work := func(_ context.Context, i int) (*Set, error) { return loadFile(files[i], read), nil }
	sink := func(_ int, s *Set) error {
		set.Objects = append(set.Objects, s.Objects...)
		set.broken = append(set.broken, s.broken...)
		return nil
	}
	err := parallel.Ordered(ctx, 0, len(files), 0, func(int) int64 { return 0 }, work, sink)
	return set, err
}

func loadFile(path string, read func(name string) ([]byte, error)) *Set {
	s := &Set{}
	data, err := read(path)
	if err != nil {
		s.reportBroken(path, err, "")
		return s
	}
	f, err := node.Parse(data)
	if err != nil {
		s.reportBroken(path, err, "compile it again")
		return s
	}
	for _, n := range f.Root.Children {
		s.Add(n, path)
	}
	return s
}

// Add adds an object that was read from a file.
func (s *Set) Add(n *node.Node, file string) {
	o := &Object{Node: n, Name: n.Name(), File: file}
	var err error
	if o.Body, err = object.Decode(n); err != nil {
		s.reportBroken(file, fault.InEntry(err, o.ID()), "compile it again")
		return
	}
	s.Objects = append(s.Objects, o)
}

func (s *Set) reportBroken(file string, err error, suggestion string) {
	f := finding.New(finding.Error, "broken", finding.Position{File: file, Offset: fault.NoOffset}, "%v", err)
	f.Suggestion = suggestion
	s.broken = append(s.broken, f)
}

// rule is a rule about several objects of a pakset.
type rule struct {
	lint.Rule
	run func(*checker)
}

var rules = []rule{
	{lint.Rule{Name: "dangling", Text: "a reference to an object that is not there", Mend: "Add the object, or change the reference: the game leaves out the object that has it, or crashes."}, (*checker).dangling},
	{lint.Rule{Name: "duplicate", Text: "two objects of one type and name", Mend: "Remove one: the game takes the last that it reads."}, (*checker).duplicates},
	{lint.Rule{Name: "case", Text: "names that differ only in case", Mend: "Give both the same case: references find only one of them."}, (*checker).cases},
	{lint.Rule{Name: "coupling", Text: "a coupling that the other vehicle does not allow", Mend: "Add the other vehicle to the constraints, or take this one out."}, (*checker).couplings},
	{lint.Rule{Name: "train", Text: "a vehicle that no complete train can have", Mend: "Let a vehicle with constraint none, or without constraints, end the train."}, (*checker).trains},
	{lint.Rule{Name: "length", Text: "vehicles of one fixed train that differ in length", Mend: "Move the images by half the difference, or give both vehicles one length."}, (*checker).lengths},
	{lint.Rule{Name: "goods", Text: "a good that nobody makes, needs or carries", Mend: "Add a factory that makes or needs it, and a vehicle that carries it."}, (*checker).goods},
	{lint.Rule{Name: "outside", Text: "an image that reaches out of its cell", Mend: "Move the image, or cut the part that reaches out of its cell."}, (*checker).outside},
}

// Rules lists the rules about a pakset and then the rules about single objects.
func Rules() (list []lint.Rule) {
	for _, r := range rules {
		list = append(list, r.Rule)
	}
	return append(list, lint.Rules...)
}

// Config changes the severities of findings.
type Config struct{ lines []configLine }

type configLine struct {
	rule, object string
	severity     finding.Severity
}

// ParseConfig reads a configuration file.
func ParseConfig(r io.Reader) (*Config, error) {
	c := &Config{}
	lines := bufio.NewScanner(r)
	for n := 1; lines.Scan(); n++ {
		text, _, _ := strings.Cut(lines.Text(), "#")
		words := strings.Fields(text)
		if len(words) == 0 {
			continue
		}
		if len(words) != 3 {
			return nil, fmt.Errorf("line %d: write rule, object and severity", n)
		}
		severity, err := ParseSeverity(words[2])
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		if _, err := path.Match(words[1], ""); err != nil {
			return nil, fmt.Errorf("line %d: %q is not a pattern", n, words[1])
		}
		if !knownRule(words[0]) {
			return nil, fmt.Errorf("line %d: unknown rule %q", n, words[0])
		}
		c.lines = append(c.lines, configLine{words[0], words[1], severity})
	}
	return c, lines.Err()
}

func knownRule(name string) bool {
	if slices.Contains([]string{"*", "broken", "syntax", "source", "unused_key"}, name) {
		return true
	}
	return slices.ContainsFunc(Rules(), func(r lint.Rule) bool { return r.Name == name })
}

// severity is the severity of a finding after the configuration was applied.
func (c *Config) severity(f finding.Finding) finding.Severity {
	severity := f.Severity
	if c == nil {
		return severity
	}
	for _, l := range c.lines {
		fits, _ := path.Match(l.object, strings.ReplaceAll(f.Entry, "/", "_"))
		if (l.rule == "*" || l.rule == f.Rule) && fits {
			severity = l.severity
		}
	}
	return severity
}

// Run applies all rules. The findings are sorted by file.
func (s *Set) Run(config *Config) []finding.Finding {
	c := &checker{set: s, byName: map[node.Type]map[string]*Object{}}
	c.index()
	c.findings = append(c.findings, s.broken...)
	for _, rule := range rules {
		c.rule = rule.Name
		rule.run(c)
	}
	for _, o := range s.Objects {
		if o.isLinted {
			continue
		}
		for _, m := range lint.Object(o.Node) {
			c.rule = m.Rule
			c.find(finding.Warning, o, m.Suggestion, "%s", m.Message)
		}
	}
	var kept []finding.Finding
	for _, f := range c.findings {
		if f.Severity = config.severity(f); f.Severity != Off {
			kept = append(kept, f)
		}
	}
	slices.SortStableFunc(kept, func(a, b finding.Finding) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Entry, b.Entry))
	})
	return kept
}

type checker struct {
	set      *Set
	byName   map[node.Type]map[string]*Object
	rule     string
	findings []finding.Finding
}

func (c *checker) index() {
	for _, o := range c.set.Objects {
		if c.byName[o.Node.Type] == nil {
			c.byName[o.Node.Type] = map[string]*Object{}
		}
		if c.byName[o.Node.Type][o.Name] == nil {
			c.byName[o.Node.Type][o.Name] = o
		}
	}
}

func (c *checker) find(severity finding.Severity, o *Object, suggestion, format string, args ...any) {
	f := finding.New(severity, c.rule, finding.Position{File: o.File, Entry: o.ID(), Offset: fault.NoOffset}, format, args...)
	f.Suggestion = suggestion
	c.findings = append(c.findings, f)
}
