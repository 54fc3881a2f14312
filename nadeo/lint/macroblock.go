package lint

import (
	"strings"

	"pakbox/finding"
	"pakbox/nadeo/blocks"
	"pakbox/nadeo/maps"
)

// macroblockRules are rules about macroblocks.
var macroblockRules = []Rule{
	{Name: "foreign_macroblock", Severity: finding.Warning, Evidence: Measured,
		Means: "The macroblock holds blocks of another environment or another game than it is made for, or than the map that it is pasted into.",
		Mend:  "Paste it into a map of its own environment."},
	{Name: "unknown_in_macroblock", Severity: finding.Warning, Evidence: Measured,
		Means: "The macroblock holds blocks that the catalogue of its environment does not have.",
		Mend:  "Use the name of a block that the game has."},
}

// Macroblock looks for mistakes in a macroblock. collection is that of the macroblock, or
// of the map into which it is pasted.
func Macroblock(m *maps.Macroblock, collection string) []finding.Finding {
	c := &checked{blocks: m.Blocks(), collection: collection, collections: true}
	unknown := c.unknownBlockNames()
	for _, name := range []string{"foreign_macroblock", "unknown_in_macroblock"} {
		c.rule, c.said = ruleNamed(name), 0
		for _, u := range unknown {
			others := blocks.EnvironmentsWith(u.name)
			switch {
			case len(others) == 0 && name == "unknown_in_macroblock":
				c.say("%s (%d) is not known%s", u.name, u.count, didYouMean{u.name, blocks.Names, collection})
			case len(others) > 0 && name == "foreign_macroblock":
				c.say("%s (%d) belongs to %s, not to %s", u.name, u.count, strings.Join(others, ", "), collection)
			}
		}
	}
	return c.found
}
