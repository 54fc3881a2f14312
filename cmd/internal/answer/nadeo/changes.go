package nadeo

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"pakbox/cmd/internal/question"
	"pakbox/fact"
	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/internal/lib/spell"
	"pakbox/nadeo"
	"pakbox/nadeo/maps"
)

// NameParams choose the new name of a map.
type NameParams struct {
	Name string `json:"name" arg:"" doc:"new name; colour codes are kept, {name} is the old name"`

	folder string // folder in which the file was found
	number int    // number of the file among those given
}

// Among returns the parameters for one of several files.
func (p NameParams) Among(folder string, number int) NameParams {
	p.folder, p.number = folder, number
	return p
}

// Renamed is the report about a new name.
type Renamed struct {
	OldName string `json:"old_name" doc:"name before"`
	Name    string `json:"name" doc:"name now"`
}

// MapRename is the change of a map's name.
var MapRename = changeMap("map.rename", "gives a map another name", func(m *maps.Map, p NameParams, r *question.Revision) (*Renamed, error) {
	if p.Name == "" {
		return nil, fault.Usagef("a new name is needed")
	}
	if err := CheckMapName(p.Name); err != nil {
		return nil, err
	}
	return RenameMap(m, p.Name, func(word string) (string, bool) {
		return question.FileWord(word, r.Source.Path, p.folder, p.number)
	})
}).Labelled("Rename")

// CheckMapName rejects a template for [RenameMap] with a name that is not a fact of maps.
func CheckMapName(template string) error {
	var names []string
	for _, f := range maps.Facts.Subject.Columns() {
		names = append(names, f.Name)
		for _, word := range f.Also {
			names = append(names, word.Name)
		}
	}
	names = question.PlaceholderNames(names)
	for _, word := range fact.Placeholders(template) {
		if slices.ContainsFunc(question.Placeholders, func(p struct{ Name, Doc string }) bool { return p.Name == word }) || slices.ContainsFunc(maps.Facts.Subject.Columns(), func(f *fact.Fact) bool { return f.Answers(word) }) {
			continue
		}
		u := fault.Usagef("unknown placeholder {%s}", word)
		if near := spell.Near(word, names, 1); len(near) > 0 {
			return u.Hint("did you mean {%s}?", near[0])
		}
		return u.Hint("placeholders are %s; {{ is a brace", strings.Join(names, ", "))
	}
	return nil
}

// RenameMap renames a map. Words in braces stand for facts of the map, and for what fileWord
// returns; {name} and {map_name} are its old name.
func RenameMap(m *maps.Map, template string, fileWord func(word string) (string, bool)) (*Renamed, error) {
	old, facts := m.Name(), maps.Facts.Of(m)
	name, err := fact.Fill(template, func(word string) (string, bool) {
		if text, ok := fileWord(word); ok {
			return text, true
		}
		if word == "map_name" {
			word = "name"
		}
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
		err = nadeo.CheckName(name)
	}
	if err != nil {
		return nil, fault.Usagef("%v", err).Hint("'pakbox info --json MAP' lists the facts that can stand in braces; {{ is a brace")
	}
	err = m.Rename(name)
	return &Renamed{old, m.Name()}, err
}

// NewMedals are the new results required for the medals.
type NewMedals struct {
	Author string `json:"author" value:"TIME" doc:"set the author medal to TIME"`
	Gold   string `json:"gold" value:"TIME" doc:"set the gold medal to TIME"`
	Silver string `json:"silver" value:"TIME" doc:"set the silver medal to TIME"`
	Bronze string `json:"bronze" value:"TIME" doc:"set the bronze medal to TIME"`
}

// MedalsSet is the report about new medals.
type MedalsSet struct {
	Medals medalTimes `json:"medals" doc:"author, gold, silver and bronze; null for none"`
}

// SetMapMedals is the change of a map's medals.
var SetMapMedals = changeMap("map.medals.set", "changes the results required for the medals of a map", func(m *maps.Map, p NewMedals, r *question.Revision) (*MedalsSet, error) {
	if p == (NewMedals{}) {
		return nil, fault.Usagef("no medal is given").Hint("name at least one of author, gold, silver and bronze")
	}
	if err := SetMedals(m, [4]string{p.Author, p.Gold, p.Silver, p.Bronze}); err != nil {
		return nil, err
	}
	if !m.Medals().InOrder(m.Scoring()) {
		r.Note("a better medal is easier to get than a lesser one")
	}
	return &MedalsSet{MedalsOf(m).Medals}, nil
}).Labelled("Medals")

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
				return fault.Usagef("--%s: %v", maps.MedalNames[i], err).Hint("write it like +6%%, which is six hundredths more than the author time")
			}
			*t = value
			continue
		}
		value, ok := maps.ParseMedal(texts[i], unit)
		why := gbx.TimeDoubt(texts[i])
		switch {
		case unit == maps.Times && why != "":
			return fault.Usagef("--%s: %s", maps.MedalNames[i], why)
		case !ok && unit != maps.Times:
			return fault.Usagef("--%s: %q is not a number", maps.MedalNames[i], texts[i]).Hint("this medal takes points or respawns, or none")
		case !ok:
			return fault.Usagef("--%s: %q is not a time", maps.MedalNames[i], texts[i]).Hint("write it like 0:36.217, or none")
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
		return 0, fmt.Errorf("%q is not a part of a time", percent+"%")
	case author == gbx.NoTime:
		return 0, errors.New("the map has no author time")
	}
	const second = 1000
	return gbx.Time(math.Ceil(float64(author)*(100+more)/100/second-1e-9) * second), nil
}

// NewThumbnail is another picture for a map.
type NewThumbnail struct {
	Picture  question.Content `json:"picture" value:"FILE" doc:"put the picture in FILE into the map: JPEG or PNG, upright"`
	Size     int              `json:"size" doc:"pixels of the longer side of the stored picture; by default it is cut to a square as the games store it"`
	KeepSize bool             `json:"keep_size" doc:"store the picture in its own size and shape"`
	Quality  int              `json:"quality" doc:"quality of the stored JPEG, 1 to 100"`
}

// ThumbnailSet is the report about another picture.
type ThumbnailSet struct {
	ThumbnailSize int `json:"thumbnail_size" doc:"size of the stored picture in bytes"`
}

// SetMapThumbnail is the change of a map's picture.
var SetMapThumbnail = changeMap("map.thumbnail.set", "puts another picture into a map", func(m *maps.Map, p NewThumbnail, _ *question.Revision) (*ThumbnailSet, error) {
	if len(p.Picture.Data) == 0 {
		return nil, fault.Usagef("a picture is needed")
	}
	err := m.SetThumbnail(p.Picture.Data, maps.ThumbnailForm{Size: p.Size, Quality: p.Quality, KeepSize: p.KeepSize})
	return &ThumbnailSet{len(m.StoredThumbnail())}, fault.InFile(err, p.Picture.Name)
}).Labelled("Thumbnail")

// NewMeta are new values of what scripts stored in a map.
type NewMeta struct {
	Set []string `json:"set" value:"NAME=VALUE" doc:"set a value: NAME=VALUE"`
}

// MetaSet is the report about new values.
type MetaSet struct {
	Set []string `json:"set" doc:"names and values that were set"`
}

// SetMapMeta is the change of what scripts stored in a map.
var SetMapMeta = changeMap("map.meta.set", "changes values that scripts stored in a map", func(m *maps.Map, p NewMeta, _ *question.Revision) (*MetaSet, error) {
	if len(p.Set) == 0 {
		return nil, fault.Usagef("no value is given").Hint("write NAME=VALUE")
	}
	for _, arg := range p.Set {
		name, value, ok := strings.Cut(arg, "=")
		if !ok {
			return nil, fault.Usagef("set %s: write NAME=VALUE", arg)
		}
		if err := m.SetMeta(name, value); err != nil {
			return nil, fault.Usagef("%v", err).Hint("'pakbox map meta MAP' lists the values of a map")
		}
	}
	return &MetaSet{p.Set}, nil
}).Labelled("Metadata")

// UIDSet is the report about a new UID.
type UIDSet struct {
	OldUID string `json:"old_uid" doc:"UID before"`
	UID    string `json:"uid" doc:"UID now"`
}

// RenewMapUID is the change that gives a map a fresh UID.
var RenewMapUID = changeMap("map.uid.new", "gives a map a fresh UID", func(m *maps.Map, _ question.NoParams, _ *question.Revision) (*UIDSet, error) {
	old := m.UID()
	err := m.SetUID(maps.NewUID())
	return &UIDSet{old, m.UID()}, err
}).Labelled("New UID")

// PasswordParams confirm that a password may be removed.
type PasswordParams struct {
	Own bool `json:"i_own_this_map" doc:"confirm that the map is yours"`
}

// PasswordRemoved is the report about a removed password.
type PasswordRemoved struct {
	Password bool `json:"password" doc:"whether a password is set now"`
	WasSet   bool `json:"was_set" doc:"whether a password was set before"`
}

// RemoveMapPassword is the change that removes the password of the asker's own map.
var RemoveMapPassword = changeMap("map.password.remove", "removes the password of your own map", func(m *maps.Map, p PasswordParams, _ *question.Revision) (*PasswordRemoved, error) {
	if !p.Own {
		return nil, fault.Usagef("a password may only be removed from your own map").Hint("if it is yours, add --i-own-this-map")
	}
	return &PasswordRemoved{false, m.RemovePassword()}, nil
}).Labelled("Remove password")

// ValidationRemoved is the report about a removed validation.
type ValidationRemoved struct {
	Validated    bool `json:"validated" doc:"whether the map is validated now"`
	WasValidated bool `json:"was_validated" doc:"whether it was before"`
	RemovedGhost bool `json:"removed_ghost" doc:"whether a run was removed"`
}

// RemoveMapValidation is the change that removes the validation of a map.
var RemoveMapValidation = changeMap("map.validation.remove", "removes the run, author time and mark that validate a map", func(m *maps.Map, _ question.NoParams, _ *question.Revision) (*ValidationRemoved, error) {
	was := m.RemoveValidation()
	return &ValidationRemoved{false, was.Marked, was.Ghost}, nil
}).Labelled("Remove validation")

// LightmapStripped is the report about removed shadows.
type LightmapStripped struct {
	Stripped bool `json:"stripped" doc:"whether there were computed shadows"`
}

// StripMapLightmap is the change that removes the computed shadows of a map.
var StripMapLightmap = changeMap("map.lightmap.strip", "removes the computed shadows of a map; the game computes them again", func(m *maps.Map, _ question.NoParams, _ *question.Revision) (*LightmapStripped, error) {
	return &LightmapStripped{m.StripLightmap()}, nil
}).Labelled("Strip shadows")

// Scrubbed is the report about texts that were removed because they reveal something
// about people.
type Scrubbed struct {
	Removed []maps.Personal `json:"removed" doc:"texts that were replaced: kind, where, value, new"`
}

// ScrubMap is the change that removes personal data from a map.
var ScrubMap = changeMap("map.scrub.clean", "removes personal data from a map, except its author", func(m *maps.Map, _ question.NoParams, _ *question.Revision) (*Scrubbed, error) {
	removed, err := m.Scrub()
	return &Scrubbed{append([]maps.Personal{}, removed...)}, err
}).Labelled("Remove personal data")

// ShrinkParams choose the ways to make a map smaller that lose something.
type ShrinkParams struct {
	With []string `json:"with" value:"WAY" doc:"also use WAY: unused, lightmap or thumbnail"`
}

// Check rejects unknown ways.
func (p ShrinkParams) Check() error {
	all, _ := maps.ShrinkWays()
	for _, way := range p.With {
		if !slices.Contains(all, maps.ShrinkWay(way)) {
			return fault.Usagef("unknown way %q to shrink a map", way).Hint("the ways are %s", strings.Join(all, ", "))
		}
	}
	return nil
}

// Shrunk is the report about a smaller map.
type Shrunk struct {
	Ways []string `json:"ways" doc:"ways that made the file smaller"`
}

// ShrinkMap is the change that makes a map's file smaller.
var ShrinkMap = changeMap("map.shrink.apply", "makes the file of a map smaller", func(m *maps.Map, p ShrinkParams, _ *question.Revision) (*Shrunk, error) {
	if err := p.Check(); err != nil {
		return nil, err
	}
	_, lossless := maps.ShrinkWays()
	done, err := m.Shrink(slices.Concat(lossless, p.With)...)
	return &Shrunk{append([]string{}, done...)}, err
}).Labelled("Shrink")
