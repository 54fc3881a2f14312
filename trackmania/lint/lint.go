// Package lint looks for what a game refuses, drops without a word, or shows
// wrongly: in maps, in macroblocks, in items, and between the maps of a folder.
//
// Each rule is declared once, with what it means, what can be done, and how sure
// it is. Nobody ran a game for it here.
package lint

import (
	"slices"
	"strings"

	"pakbox/finding"
	"pakbox/trackmania/blocks"
	"pakbox/trackmania/maps"
)

// Sure is how sure a rule is.
type Sure string

// The ways to know.
const (
	Measured Sure = "measured" // on real files
	Tested   Sure = "tested"   // by others, who loaded such files in the game
	Guess    Sure = "guess"    // one source says so, or it follows from the names of things
	// Transcribed is known by others, who read it out of the program.
	Transcribed Sure = "transcribed"
)

// Words says how sure a rule is. Fact is its number in the list of what games
// accept.
func (s Sure) Words(fact string) string {
	words := map[Sure]string{
		Measured: "Measured on real files.",
		Tested:   "Tested by others, who loaded such files in the game.",
		Guess:    "A guess: one source says so, or it follows from the names of things.",

		Transcribed: "Read out of the program by others.",
	}[s]
	if fact != "" {
		words += " (" + strings.ReplaceAll(fact, " ", ", ") + ")"
	}
	return words
}

// Rule is a kind of mistake.
type Rule struct {
	Name     string // as findings have it
	Fact     string // its number in the list of what games accept; "" for none
	Severity finding.Severity
	Sure     Sure
	Means    string
	Mend     string

	check func(c *checked)
}

// OfItems reports whether the rule is about a file of an item.
func (r *Rule) OfItems() bool {
	return strings.HasPrefix(r.Name, "item_") && strings.HasPrefix(r.Fact, "I")
}

// Rules lists the rules, in the order of their findings.
func Rules() []Rule {
	return slices.Concat(containerRules, identityRules, embeddedRules, thingRules, wayRules, lightRules, folderRules, macroblockRules, itemRules)
}

// most is how many findings of a rule are told for one map.
const most = 12

// Map looks for mistakes in a map. Size is that of the file. Nothing is
// contacted: addresses are judged by their looks.
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

// checked is a map that is being looked at.
type checked struct {
	*maps.Map
	size   int64
	blocks []maps.Block
	items  []maps.Item

	rule  *Rule
	said  int // findings of the rule
	found []finding.Finding

	embedding   *maps.Embedding
	models      map[string]*model
	collection  string
	collections bool
}

// say adds a finding of the rule.
func (c *checked) say(format string, args ...any) { c.sayAs(c.rule.Severity, format, args...) }

// sayAs adds a finding of another severity than the rule usually has.
func (c *checked) sayAs(severity finding.Severity, format string, args ...any) {
	if c.said++; c.said <= most {
		c.add(severity, format, args...)
	}
}

func (c *checked) add(severity finding.Severity, format string, args ...any) {
	c.found = append(c.found, finding.New(severity, c.rule.Name, finding.Nowhere, format, args...))
}

// environment is the name of the map's collection.
func (c *checked) environment() string {
	if !c.collections {
		c.collection, c.collections = c.Collection(), true
	}
	return c.collection
}

// kind is what the catalogue knows about a block; nil for one that the map
// brings along.
func (c *checked) kind(b *maps.Block) *blocks.Block {
	if maps.IsOwnModel(b.Name, b.Author) {
		return nil
	}
	return blocks.Find(c.environment(), b.Name)
}
