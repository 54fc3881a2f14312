package nadeo

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"pakbox/cmd/internal/question"
	"pakbox/fault"
	"pakbox/internal/lib/spell"
	"pakbox/nadeo/blocks"
)

// BlockList is the answer about blocks of the games.
type BlockList struct {
	Blocks   []blockKnown  `json:"blocks" doc:"blocks by environment and name; none if no word was given"`
	Families []blockFamily `json:"families,omitempty" doc:"numbers of blocks by environment and family, if no word was given"`
}

// blockFamily counts the blocks of a family.
type blockFamily struct {
	Environment string `json:"environment" doc:"collection that has the blocks"`
	Family      string `json:"family" doc:"straight, curve, slope, loop, …"`
	Blocks      int    `json:"blocks" doc:"number of blocks"`
	Mirrored    int    `json:"mirrored" doc:"number of blocks whose mirror image is known"`
}

// blockKnown has the catalogue's facts about a block.
type blockKnown struct {
	Environment string   `json:"environment" doc:"collection that has the block"`
	Name        string   `json:"name"`
	Ground      *string  `json:"ground" doc:"cells on the ground, as x by y by z; null if they are not known"`
	Air         *string  `json:"air" doc:"cells above the ground"`
	CellCount   int      `json:"cell_count" doc:"number of cells that the block takes"`
	Family      string   `json:"family" doc:"straight, curve, slope, loop, …"`
	Ends        []string `json:"ends" doc:"where roads enter and leave: side, cell, and height in metres"`
	Role        string   `json:"role" doc:"start, checkpoint, finish, startfinish or none"`
	Surface     *string  `json:"surface" doc:"tech, dirt, ice, …; null if it is not known"`
	Mirror      *string  `json:"mirror" doc:"block that is the mirror image; null if it is not known"`
	MirrorTurn  int      `json:"mirror_turn" doc:"quarters by which the mirror image of a block facing north is turned"`
	ByVariant   bool     `json:"by_variant" doc:"whether the block takes its shape from its neighbours"`
	Confidence  string   `json:"confidence" doc:"A measured, B one good source, C a rule, D a guess"`
}

type blockParams struct {
	Word        string `json:"word" arg:"" doc:"name of a block or a part of it"`
	Environment string `json:"environment" doc:"collection, such as Stadium2020; all by default"`
}

// BlockInfo is the question what the catalogue knows about blocks.
var BlockInfo = question.New(&room, "block", "facts about the blocks of the games", func(_ context.Context, _ *question.At, p blockParams) (*BlockList, error) {
	list := &BlockList{Blocks: []blockKnown{}}
	environments := blocks.Environments()
	if p.Environment != "" {
		i := slices.IndexFunc(environments, func(s string) bool { return strings.EqualFold(s, p.Environment) })
		if i < 0 {
			return nil, fault.Usagef("no blocks of %q are known", p.Environment).Hint("there are those of %s", strings.Join(environments, ", "))
		}
		environments = environments[i : i+1]
	}
	if p.Word == "" {
		list.Families = blockFamilies(environments)
		return list, nil
	}
	word := strings.ToLower(p.Word)
	for _, environment := range environments {
		for b := range blocks.All(environment) {
			if strings.Contains(strings.ToLower(b.Name), word) {
				list.Blocks = append(list.Blocks, blockKind(b))
			}
		}
	}
	if len(list.Blocks) == 0 {
		u := fault.Usagef("no block whose name has %q in it is known", p.Word)
		var names []string
		for _, environment := range environments {
			for b := range blocks.All(environment) {
				names = append(names, b.Name)
			}
		}
		if near := spell.Near(p.Word, names, 3); len(near) > 0 {
			return nil, u.Hint("did you mean %s?", question.OrList(near))
		}
		return nil, u.Hint("'pakbox block' lists the families of blocks")
	}
	return list, nil
}).AboutNoFile()

// blockFamilies counts the blocks of environments by family.
func blockFamilies(environments []string) (out []blockFamily) {
	for _, environment := range environments {
		families := map[string]*blockFamily{}
		for b := range blocks.All(environment) {
			f := families[b.Family]
			if f == nil {
				f = &blockFamily{Environment: environment, Family: b.Family}
				families[b.Family] = f
			}
			f.Blocks++
			if b.Mirror != "" {
				f.Mirrored++
			}
		}
		for _, name := range slices.Sorted(maps.Keys(families)) {
			out = append(out, *families[name])
		}
	}
	return out
}

func blockKind(b *blocks.Block) blockKnown {
	k := blockKnown{
		Environment: b.Environment, Name: b.Name, Family: b.Family, Ends: []string{}, Role: b.Role.String(), Surface: question.NonEmpty(b.Surface),
		Mirror: question.NonEmpty(b.Mirror), MirrorTurn: b.MirrorTurn, ByVariant: b.ByVariant, Confidence: b.Confidence.String(),
		Ground: question.NonEmpty(cellsText(&b.Ground)), Air: question.NonEmpty(cellsText(&b.Air)),
	}
	for range b.Ground.List() {
		k.CellCount++
	}
	for _, e := range b.Ends {
		text := fmt.Sprintf("%v%d at %g m", e.Side, e.Cell, e.From)
		if e.To != e.From {
			text += fmt.Sprintf(" to %g m", e.To)
		}
		k.Ends = append(k.Ends, text)
	}
	return k
}

func cellsText(c *blocks.Cells) string {
	if !c.Known() {
		return ""
	}
	return fmt.Sprintf("%dx%dx%d", c.Size.X, c.Size.Y, c.Size.Z)
}
