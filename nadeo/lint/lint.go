// Package lint looks for mistakes that a game refuses, drops silently, or shows wrongly:
// in maps, in macroblocks, in items, and between the maps of a folder.
//
// Each rule is declared once, with its meaning, a remedy, and how sure it is. The rules
// have not been tried in a game here.
package lint

import (
	"slices"
	"strings"

	"pakbox/finding"
	"pakbox/nadeo/blocks"
	"pakbox/nadeo/maps"
)

// Evidence states where the knowledge of a rule comes from.
type Evidence string

// The sources of knowledge.
const (
	Measured Evidence = "measured" // on real files
	Tested   Evidence = "tested"   // other people loaded such files in the game
	Guess    Evidence = "guess"    // from a single source, or derived from names
	// Transcribed: other people read it in the game's program code.
	Transcribed Evidence = "transcribed"
)

// Words describes the source of a rule. fact is the number of the rule in the list of
// facts about what games accept.
func (s Evidence) Words(fact string) string {
	words := map[Evidence]string{
		Measured: "Measured on real files.",
		Tested:   "Tested by others, who loaded such files in the game.",
		Guess:    "A guess: from a single source, or derived from names.",

		Transcribed: "Read out of the program by others.",
	}[s]
	if fact != "" {
		words += " (" + strings.ReplaceAll(fact, " ", ", ") + ")"
	}
	return words
}

// Rule describes one kind of mistake.
type Rule struct {
	Name     string // the name in findings
	Fact     string // number in the list of facts about what games accept; "" for none
	Severity finding.Severity
	Evidence Evidence
	Means    string
	Mend     string

	check func(c *checked)
}

// OfItems reports whether the rule is about item files.
func (r *Rule) OfItems() bool {
	return strings.HasPrefix(r.Name, "item_") && strings.HasPrefix(r.Fact, "I")
}

// Rules lists all rules, in the order in which they report.
func Rules() []Rule {
	return slices.Concat(containerRules, identityRules, embeddedRules, thingRules, wayRules, lightRules, folderRules, macroblockRules, itemRules)
}

// most is the largest number of findings of one rule for one map.
const most = 12

// Map looks for mistakes in a map. size is the size of the file. Nothing is contacted:
// web addresses are judged by their form.
func Map(m *maps.Map, size int64) []finding.Finding {
	c := &checked{Map: m, size: size, blocks: m.Blocks(), items: m.Items()}
	check(c, Rules())
	c.embeddedItems()
	return c.found
}

func check(c *checked, rules []Rule) []finding.Finding {
	for i := range rules {
		c.rule, c.said = &rules[i], 0
		if c.rule.check == nil {
			continue
		}
		c.rule.check(c)
		if c.said > most {
			c.add(c.found[len(c.found)-1].Severity, "%d more of this kind", c.said-most)
		}
	}
	return c.found
}

// checked is a map while it is checked.
type checked struct {
	*maps.Map
	size   int64
	blocks []maps.Block
	items  []maps.Item

	rule  *Rule
	said  int // number of findings of the current rule
	found []finding.Finding

	embedding   *maps.Embedding
	models      map[string]*model
	collection  string
	collections bool
}

// say adds a finding of the current rule.
func (c *checked) say(format string, args ...any) { c.sayAs(c.rule.Severity, format, args...) }

// sayAs adds a finding with another severity than the rule's usual one.
func (c *checked) sayAs(severity finding.Severity, format string, args ...any) {
	if c.said++; c.said <= most {
		c.add(severity, format, args...)
	}
}

func (c *checked) add(severity finding.Severity, format string, args ...any) {
	c.found = append(c.found, finding.New(severity, c.rule.Name, finding.Nowhere, format, args...))
}

// environment returns the name of the map's collection.
func (c *checked) environment() string {
	if !c.collections {
		c.collection, c.collections = c.Collection(), true
	}
	return c.collection
}

// kind returns the catalogue's entry for a block, nil for an embedded block.
func (c *checked) kind(b *maps.Block) *blocks.Block {
	if maps.IsOwnModel(b.Name, b.Author) {
		return nil
	}
	return blocks.Find(c.environment(), b.Name)
}
