// Package change makes the changes of maps that commands and the web page offer, and
// describes the differences.
package change

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"pakbox/archive"
	"pakbox/fact"
	"pakbox/finding"
	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/gbx/tree"
	"pakbox/internal/form"
	"pakbox/internal/lib/hint"
	"pakbox/internal/lib/spell"
	"pakbox/trackmania"
	"pakbox/trackmania/lint"
	"pakbox/trackmania/maps"
	"pakbox/trackmania/recipe"
)

// GBXChanges lists the values that differ between two versions of a GBX file, for dry
// runs.
func GBXChanges(before, after []byte) ([]archive.ValueChange, error) {
	x, err := gbx.Parse(before, engine.Registry())
	if err != nil {
		return nil, err
	}
	y, err := gbx.Parse(after, engine.Registry())
	if err != nil {
		return nil, err
	}
	return tree.Diff(x, y)
}

// CheckMapName rejects a template for [RenameMap] with a word that is no fact of maps.
func CheckMapName(template string) error {
	var names []string
	for _, f := range maps.Facts.Subject.Columns() {
		names = append(names, f.Name)
		for _, word := range f.Also {
			names = append(names, word.Name)
		}
	}
	for _, word := range fact.Placeholders(template) {
		if slices.ContainsFunc(maps.Facts.Subject.Columns(), func(f *fact.Fact) bool { return f.Answers(word) }) {
			continue
		}
		u := hint.Usagef("there is nothing to put in the place of {%s}", word)
		if near := spell.Near(word, names, 1); len(near) > 0 {
			return u.Hint("did you mean {%s}?", near[0])
		}
		return u.Hint("facts of maps are %s; {{ is a brace", strings.Join(names, ", "))
	}
	return nil
}

// RenameMap renames a map. Words in braces stand for facts of the map; {name} is its old
// name.
func RenameMap(m *maps.Map, template string) (*form.Object, error) {
	old, facts := m.Name(), maps.Facts.Of(m)
	name, err := fact.Fill(template, func(word string) (string, bool) {
		v, ok := facts.Get(word)
		if !ok {
			return "", false
		}
		if text, isText := v.Value.(string); isText {
			return text, true // with its colour codes
		}
		return v.Text(), true
	})
	if err == nil {
		err = trackmania.CheckName(name)
	}
	if err != nil {
		return nil, hint.Usagef("%v", err).Hint("'pakbox info --json MAP' lists the facts that can stand in braces; {{ is a brace")
	}
	err = m.Rename(name)
	return new(form.Object).Add("old_name", old).Add("name", m.Name()), err
}

// SetMedals changes the results required for the medals. The texts are in the order of
// [maps.MedalNames]; an empty text changes nothing.
func SetMedals(m *maps.Map, texts [4]string) error {
	medals := m.Medals()
	for i, t := range medals.List() {
		if texts[i] == "" {
			continue
		}
		unit := m.Scoring().Others
		if i == 0 {
			unit = m.Scoring().Author
		}
		if percent, ok := strings.CutSuffix(texts[i], "%"); ok && i > 0 && unit == maps.Times {
			value, err := relativeTime(medals.Author, percent)
			if err != nil {
				return hint.Usagef("--%s: %v", maps.MedalNames[i], err).Hint("write it like +6%%, which is six hundredths more than the author time")
			}
			*t = value
			continue
		}
		value, ok := maps.ParseMedal(texts[i], unit)
		why := gbx.TimeDoubt(texts[i])
		switch {
		case unit == maps.Times && why != "":
			return hint.Usagef("--%s: %s", maps.MedalNames[i], why)
		case !ok && unit != maps.Times:
			return hint.Usagef("--%s: %q is no number", maps.MedalNames[i], texts[i]).Hint("this medal takes points or respawns, or none")
		case !ok:
			return hint.Usagef("--%s: %q is no time", maps.MedalNames[i], texts[i]).Hint("write it like 0:36.217, or none")
		}
		*t = value
	}
	m.SetMedals(medals)
	return nil
}

// relativeTime returns a time that is so many percent longer than the author's, rounded
// up to a whole second, as the editors of the games do.
func relativeTime(author gbx.Time, percent string) (gbx.Time, error) {
	more, err := strconv.ParseFloat(strings.TrimPrefix(percent, "+"), 64)
	switch {
	case err != nil || !strings.HasPrefix(percent, "+") || !(more >= 0 && more <= 10000):
		return 0, fmt.Errorf("%q is no part of a time", percent+"%")
	case author == gbx.NoTime:
		return 0, errors.New("the map has no author time")
	}
	const second = 1000
	return gbx.Time(math.Ceil(float64(author)*(100+more)/100/second-1e-9) * second), nil
}

// recipeStep is the result of a recipe's step, in JSON.
type recipeStep struct {
	Line     int    `json:"line"`
	Step     string `json:"step"`
	Blocks   int    `json:"blocks"`
	Items    int    `json:"items"`
	Embedded string `json:"embedded,omitempty"`
}

// Steps converts the results of a recipe's steps for JSON.
func Steps(effects []recipe.Effect) []recipeStep {
	list := make([]recipeStep, len(effects))
	for i, e := range effects {
		list[i] = recipeStep{e.Line, e.Verb, e.Blocks, e.Items, e.Embedded}
	}
	return list
}

// Lint returns the findings about a map.
func Lint(m *maps.Map) ([]finding.Finding, error) {
	data, err := m.File.Encode()
	if err != nil {
		return nil, err
	}
	return append([]finding.Finding{}, lint.Map(m, int64(len(data)))...), nil
}
