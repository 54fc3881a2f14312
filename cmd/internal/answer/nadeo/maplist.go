package nadeo

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"pakbox/cmd/internal/question"
	"pakbox/fault"
	"pakbox/finding"
	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/internal/lib/quote"
	"pakbox/nadeo/campaigns"
	"pakbox/nadeo/lint"
	"pakbox/nadeo/maps"
)

// Files that are made of the maps in a folder.

// Failure is a file that could not be read. Others were.
type Failure struct {
	File string
	Err  error
}

// MapsBelow finds the maps below a folder, grouped by folder, in natural order: A2 comes
// before A10. It also returns those that could not be read.
func MapsBelow(ctx context.Context, at *question.At) (list []MapFile, failed []Failure, err error) {
	files, err := at.FilesBelow(ctx, ".gbx")
	switch {
	case err != nil:
		return nil, nil, err
	case files == nil:
		if _, err := at.Opener.StatOutermost(at.Path); err != nil {
			return nil, nil, fault.System(err)
		}
		folder := filepath.ToSlash(filepath.Dir(at.Path))
		return nil, nil, fault.WithHint(fault.InFile(fault.New(fault.NotFormat, "is not a folder with maps"), at.Path), "the folder is %s", quote.Word(folder))
	}
	for _, file := range files {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		lower := strings.ToLower(file)
		if !strings.HasSuffix(lower, ".map.gbx") && !strings.HasSuffix(lower, ".challenge.gbx") {
			continue
		}
		m, err := readMap(ctx, at.For(file))
		if err != nil {
			failed = append(failed, Failure{file, fault.InFile(err, file)})
			continue
		}
		rel, err := filepath.Rel(filepath.FromSlash(at.Path), filepath.FromSlash(file))
		if err != nil {
			return nil, nil, err
		}
		m.Path, m.file = filepath.ToSlash(rel), file
		list = append(list, m)
	}
	slices.SortFunc(list, func(x, y MapFile) int {
		return cmp.Or(comparePaths(path.Dir(x.Path), path.Dir(y.Path)), comparePaths(x.Path, y.Path))
	})
	return list, failed, nil
}

// readMap reads the header of a map.
func readMap(ctx context.Context, at *question.At) (MapFile, error) {
	in, closer, err := at.Input(ctx)
	if err != nil {
		return MapFile{}, err
	}
	defer closer.Close()
	h, err := gbx.ReadHeader(in, in.Size, engine.Registry())
	if err != nil {
		return MapFile{}, err
	}
	m, err := maps.Of(&gbx.File{Header: *h})
	if err != nil {
		return MapFile{}, err
	}
	return MapFile{Name: m.Name(), Ident: m.Ident()}, nil
}

// NewCampaign are the parameters of a new campaign.
type NewCampaign struct {
	ID   string `json:"id" value:"ID" doc:"the campaign's ID, such as MyTitle@me"`
	Name string `json:"name" value:"NAME" doc:"the campaign's NAME (else that of DIR)"`
	At   string `json:"at" value:"PATH" doc:"PATH of DIR in the game"`
}

// CampaignReport is the report about a new campaign.
type CampaignReport struct {
	ID     string `json:"id" doc:"ID of the campaign"`
	Name   string `json:"name" doc:"name of the campaign"`
	Groups int    `json:"group_count" doc:"number of groups"`
	Maps   int    `json:"map_count" doc:"number of maps"`

	Failed []Failure `json:"-"`
}

// UserCampaigns is the folder of campaigns in the user's folder of the game.
const UserCampaigns = `:user:\Maps\Campaigns`

// CreateCampaign is the question for a campaign of the maps in a folder.
var CreateCampaign = question.New(&room, "campaign.create", "a campaign of the maps in a folder", func(ctx context.Context, at *question.At, p NewCampaign) (*question.File, error) {
	list, failed, err := MapsBelow(ctx, at)
	if err != nil {
		return nil, err
	}
	report := &CampaignReport{Maps: len(list), Failed: failed}
	made := &question.File{Name: "New.Campaign.Gbx", Say: report}
	if len(list) == 0 {
		return nil, noMaps(at, failed, "contains no maps")
	}
	c := campaigns.Campaign{ID: p.ID, Name: cmp.Or(p.Name, filepath.Base(filepath.Clean(at.Path)))}
	c.ID = cmp.Or(c.ID, c.Name)
	root := strings.TrimRight(cmp.Or(p.At, UserCampaigns), `\/`) + `\`
	folder := ""
	for i, m := range list {
		if in := path.Dir(m.Path); i == 0 || in != folder {
			folder = in
			name := path.Base(in)
			if in == "." {
				name = c.Name
			}
			c.Groups = append(c.Groups, campaigns.Group{Name: name})
		}
		g := &c.Groups[len(c.Groups)-1]
		g.Maps = append(g.Maps, campaigns.Map{Ident: m.Ident, Path: root + strings.ReplaceAll(m.Path, "/", `\`)})
	}
	report.ID, report.Name, report.Groups = c.ID, c.Name, len(c.Groups)
	at.Format = "gbx"
	made.Data, err = c.File().Encode()
	return made, err
})

// noMaps is the error about a folder without maps that can be used.
func noMaps(at *question.At, failed []Failure, message string) error {
	none := fault.InFile(fault.New(fault.NotFormat, "%s", message), at.Path)
	for _, f := range failed {
		none = fault.WithHint(none, "%s: %v", f.File, f.Err)
	}
	return none
}

// NewMapList are the parameters of a list of maps.
type NewMapList struct {
	At string `json:"at" value:"PATH" doc:"PATH of FOLDER in the server's folder of maps (default the name of FOLDER)"`
}

// MapListReport is the report about a list of maps.
type MapListReport struct {
	Game    string `json:"game" doc:"game of the maps"`
	Maps    int    `json:"map_count" doc:"number of maps in the list"`
	LeftOut int    `json:"left_out" doc:"number of maps that do not belong in the list"`

	Failed []Failure `json:"-"`
}

// ListMaps is the question for the match settings of a server.
var ListMaps = question.New(&room, "map.list", "the match settings of a server with the maps in a folder", func(ctx context.Context, at *question.At, p NewMapList) (*question.File, error) {
	files, failed, err := MapsBelow(ctx, at)
	if err != nil {
		return nil, err
	}
	folder := strings.TrimRight(filepath.ToSlash(cmp.Or(p.At, filepath.Base(filepath.Clean(at.Path)))), "/") + "/"
	made := &question.File{Name: "Maps.MatchSettings.txt", Type: "text/plain; charset=utf-8"}
	var list campaigns.Playlist
	uids, left := map[string]string{}, 0
	var why reasons
	for _, file := range files {
		_, err := OpenMap(ctx, at.For(file.file), func(m *maps.Map) (None, error) {
			if reason := unfit(m, &list, uids[m.UID()]); reason != "" {
				left++
				why.add(reason, file.file)
				return None{}, nil
			}
			list.Game, uids[m.UID()] = m.Generation(), file.Path
			list.Maps = append(list.Maps, campaigns.PlayedMap{Path: folder + file.Path, UID: m.UID()})
			return None{}, nil
		})
		if err != nil {
			left++
			failed = append(failed, Failure{file.file, fault.InFile(err, file.file)})
		}
	}
	made.Notes = why.notes()
	made.Say = &MapListReport{string(list.Game), len(list.Maps), left, failed}
	if len(list.Maps) == 0 {
		none := noMaps(at, failed, "contains no maps for a server")
		for _, note := range made.Notes {
			none = fault.WithHint(none, "%s", note)
		}
		return nil, none
	}
	if left > 0 {
		made.Notes = append(made.Notes, question.Count(len(list.Maps), "map")+" of "+string(list.Game)+" in the list, "+question.Count(left, "file")+" left out")
	}
	at.Format = "gbx"
	made.Data = []byte(list.Text())
	return made, nil
})

// reasons has the maps that are left out of a list, by the reason.
type reasons struct {
	texts []string
	maps  map[string][]string
}

func (r *reasons) add(text, name string) {
	if r.maps == nil {
		r.maps = map[string][]string{}
	}
	if r.maps[text] == nil {
		r.texts = append(r.texts, text)
	}
	r.maps[text] = append(r.maps[text], name)
}

// notes returns one sentence for each reason, with the first maps.
func (r *reasons) notes() (list []string) {
	const most = 3
	for _, text := range r.texts {
		names := r.maps[text]
		if len(names) == 1 {
			list = append(list, fmt.Sprintf("%s is left out: %s", names[0], text))
			continue
		}
		some := strings.Join(names[:min(most, len(names))], ", ")
		if more := len(names) - most; more > 0 {
			some += fmt.Sprintf(" and %d more", more)
		}
		list = append(list, fmt.Sprintf("%s are left out: %s: %s", question.Count(len(names), "map"), text, some))
	}
	return list
}

// unfit explains why a map does not belong in a list; "" if it does.
func unfit(m *maps.Map, list *campaigns.Playlist, twin string) string {
	switch g := m.Generation(); {
	case g == "":
		return "no server is known for the game that made it"
	case list.Game != "" && g != list.Game:
		return "it is a map of " + string(g) + ", and the others are of " + string(list.Game)
	case twin != "":
		return "it has the UID of " + twin
	}
	for _, f := range lint.Map(m, int64(len(m.File.Source()))) {
		if f.Severity == finding.Error {
			return f.Message
		}
	}
	return ""
}

// comparePaths compares paths folder by folder. Numbers are compared by value, letters
// without regard to case.
func comparePaths(x, y string) int {
	fold := func(s string) []string { return strings.Split(strings.ToLower(s), "/") }
	return cmp.Or(slices.CompareFunc(fold(x), fold(y), compareNatural), cmp.Compare(x, y))
}

func compareNatural(x, y string) int {
	for x != "" && y != "" {
		if m, n := digits(x), digits(y); m > 0 && n > 0 {
			v, w := strings.TrimLeft(x[:m], "0"), strings.TrimLeft(y[:n], "0")
			if c := cmp.Or(cmp.Compare(len(v), len(w)), cmp.Compare(v, w)); c != 0 {
				return c
			}
			x, y = x[m:], y[n:]
			continue
		}
		if x[0] != y[0] {
			return cmp.Compare(x[0], y[0])
		}
		x, y = x[1:], y[1:]
	}
	return cmp.Compare(len(x), len(y))
}

// digits counts the digits at the beginning of a text.
func digits(s string) int {
	n := 0
	for n < len(s) && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	return n
}
