package page

import (
	"context"
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"

	"pakbox/archive"
	"pakbox/archive/imagefile"
	"pakbox/cmd/internal/answer"
	answers "pakbox/cmd/internal/answer/nadeo"
	"pakbox/cmd/internal/question"
	"pakbox/cmd/internal/source"
	"pakbox/fact"
	"pakbox/fault"
	"pakbox/internal/lib/walk"
	"pakbox/nadeo"
	"pakbox/nadeo/maps"
	"pakbox/nadeo/runs"
)

// home returns the content of the first screen.
func (s *Explorer) home(c *call) (any, error) {
	list, err := s.files.ReadDir("")
	if err != nil {
		return nil, err
	}
	roots := []*question.Object{}
	for _, e := range list {
		kind := "folder"
		if !e.IsDir() {
			kind = "file"
		}
		roots = append(roots, new(question.Object).Add("name", e.Name()).Add("kind", kind))
	}
	formats, err := answer.KnownFormats.Ask(c.Context(), &question.At{Opener: s.opener}, question.NoParams{})
	if err != nil {
		return nil, err
	}
	o := new(question.Object).Add("roots", roots).AddFields(formats).Add("read_only", s.opts.ReadOnly).Add("parquet", answers.TelemetryKinds["parquet"] != nil)
	s.gather()
	switch known, err := s.collection(c); {
	case err == nil:
		o.Add("collection", known)
	case s.opts.Collection != nil:
		return nil, err
	case s.opts.OpenIndex != nil:
		o.Add("gathering", s.gathering.making()).Add("indexes", s.foundIndexes())
	}
	return o, nil
}

// child is an entry of a folder.
type child struct {
	Name       string  `json:"name"`
	Kind       string  `json:"kind"` // folder or file
	Size       *int64  `json:"size"`
	StoredSize *int64  `json:"stored_size,omitempty"`
	Method     string  `json:"method,omitempty"`
	Encrypted  bool    `json:"encrypted,omitempty"`
	Problem    *string `json:"problem,omitempty"`
	Unsafe     string  `json:"unsafe,omitempty"` // why the name is invalid or leads out of its folder
	// Changed is the time when a file on disk was last written.
	Changed *time.Time `json:"changed,omitempty"`
}

// children lists one level of a folder or an archive.
func (s *Explorer) children(c *call) (any, error) {
	name := c.param("path")
	o := new(question.Object).Add("path", name)
	info, err := s.files.Stat(name)
	if name == "" || err == nil && info.IsDir() {
		list, err := s.files.ReadDir(name)
		if err != nil {
			return nil, err
		}
		return o.Add("archive", false).Add("command", "pakbox ls "+shellPath(name)).Add("children", folderChildren(list)), nil
	}
	f, done, err := s.open.get(c.Context(), name)
	if errors.Is(err, fault.Key) || s.wrongGiven(err) {
		e := question.ErrorAbout(err, name)
		if s.wrongGiven(err) {
			e.Kind = string(fault.PassphraseRequired)
		}
		return o.Add("archive", true).Add("children", []child{}).Add("command", "pakbox info "+shellPath(name)).
			Add("locked", e), nil
	}
	if err != nil {
		return nil, err
	}
	defer done()
	list := archiveChildren(f.Source, c.param("all") != "")
	return o.Add("archive", true).Add("format", f.Format()).Add("command", "pakbox ls -l "+shellPath(name)).Add("children", list), nil
}

func folderChildren(list []fs.DirEntry) []child {
	out := []child{}
	for _, e := range list {
		if walk.Hidden(e.Name()) {
			continue // hidden files, as in a shell
		}
		k := child{Name: e.Name(), Kind: "folder"}
		if !e.IsDir() {
			k.Kind = "file"
			if info, err := e.Info(); err == nil {
				n, changed := info.Size(), info.ModTime().UTC()
				k.Size, k.Changed = &n, &changed
			}
		}
		out = append(out, k)
	}
	return out
}

// archiveChildren lists the first level of an archive, or all entries. It uses the stored
// names, which a file system might not accept.
func archiveChildren(s *source.Source, all bool) []child {
	out, folders := []child{}, map[string]int{}
	for _, e := range s.Entries() {
		first, _, deeper := strings.Cut(e.Name, "/")
		unsafe := ""
		if err := s.Root().Check(e.Name); err != nil {
			unsafe = question.Describe(err)
		}
		if deeper && !all {
			i, ok := folders[first]
			if !ok {
				i = len(out)
				folders[first] = i
				out = append(out, child{Name: first, Kind: "folder", Size: new(int64), StoredSize: new(int64)})
			}
			*out[i].Size += max(e.Size, 0)
			*out[i].StoredSize += e.StoredSize
			if unsafe != "" {
				out[i].Unsafe = unsafe
			}
			continue
		}
		k := child{Name: e.Name, Kind: "file", Size: question.Known(e.Size), StoredSize: &e.StoredSize, Method: e.Method, Encrypted: e.Encrypted}
		if e.Problem != nil {
			k.Problem = question.NonEmpty(question.Describe(e.Problem))
		}
		k.Unsafe = unsafe
		out = append(out, k)
	}
	return out
}

// tab is one view of a file.
type tab struct {
	Name   string `json:"name"`
	Title  string `json:"title"`
	Screen string `json:"screen"`
}

// line is a line of the card of info. A name with colour codes is split into its pieces.
type line struct {
	Name    string       `json:"name,omitempty"` // of the fact
	Label   string       `json:"label"`
	Text    string       `json:"text"`
	Spans   []nadeo.Span `json:"spans,omitempty"`
	Storage bool         `json:"storage,omitempty"` // how the file is stored, not what it is
}

// what describes what is at a path, and which views exist for it.
func (s *Explorer) what(c *call) (any, error) {
	name := c.param("path")
	o := new(question.Object).Add("path", name).Add("shell_path", shellPath(name)).Add("dropped", isDropped(name))
	if info, err := s.files.Stat(name); err == nil && info.IsDir() {
		tabs := []tab{{"files", "Files", "folder"}}
		if s.holdsPaks(name) {
			tabs = append(tabs, tab{"vehicles", "Vehicles", "vehicles"}, tab{"buildings", "Buildings", "vehicles"}, tab{"factories", "Industry", "vehicles"},
				tab{"ways", "Ways", "vehicles"}, tab{"findings", "Findings", "findings"})
		}
		return o.Add("kind", "folder").Add("title", path.Base(name)).Add("tabs", tabs), nil
	}
	card, err := answer.FileInfo.Ask(c.Context(), s.at(name), question.NoParams{})
	if errors.Is(err, fault.NotFormat) {
		return s.plainFile(c.Context(), o, name)
	}
	if s.wrongGiven(err) {
		return o.Add("kind", "archive").Add("title", path.Base(name)).Add("command", "pakbox info "+shellPath(name)).Add("tabs", []tab{{"files", "Files", "folder"}, bytesOnly}), nil
	}
	if err != nil {
		return s.unreadable(c.Context(), o, name, err)
	}
	o.Add("format", card.Format).Add("card", cardLines(card)).Add("facts", card.Facts)
	if !card.Locked && (card.Format == imagefile.Format || s.isEntry(c.Context(), name)) {
		return s.plainFile(c.Context(), o, name)
	}
	o.Add("kind", "archive").Add("title", title(name, card)).Add("command", "pakbox info "+shellPath(name))
	if card.Locked {
		return o.Add("tabs", []tab{{"files", "Files", "folder"}, bytesOnly}), nil
	}
	return s.views(c.Context(), o, name, card), nil
}

// The views of bytes, with and without values.
var (
	valuesAndBytes = tab{"bytes", "Values and bytes", "bytes"}
	bytesOnly      = tab{"bytes", "Bytes", "bytes"}
)

// unreadable describes a damaged file: the error, its bytes, and the values that can
// still be read. Without bytes, for example because the file does not exist, it returns only
// the error.
func (s *Explorer) unreadable(ctx context.Context, o *question.Object, name string, wrong error) (any, error) {
	k, err := s.openContent(ctx, name)
	if err != nil {
		return nil, wrong
	}
	k.done()
	bytes := bytesOnly
	if f, done, err := s.open.look(ctx, name); err == nil {
		defer done()
		bytes = valuesAndBytes
		o.Add("values", true)
		s.headerSays(o, f)
	}
	return o.Add("kind", "damaged").Add("title", path.Base(name)).Add("error", question.ErrorAbout(wrong, name)).
		Add("command", "pakbox verify "+shellPath(name)).Add("tabs", []tab{{"damage", "Damage", "damage"}, bytes}), nil
}

// headerSays adds facts from the header of a damaged file: name, author, picture.
func (s *Explorer) headerSays(o *question.Object, f *openFile) {
	if f.damage == nil {
		return
	}
	m, err := maps.Of(f.gbx())
	o.Add("left", archiveChildren(f.Source, true)).Add("card", cardLines(&answer.Card{Format: f.Format(), Facts: f.Facts()})).
		Add("thumbnail", err == nil && len(m.StoredThumbnail()) > 0 || hasIcon(f))
}

// holdsPaks reports whether a folder looks like a pakset of Simutrans.
func (s *Explorer) holdsPaks(name string) bool {
	list, err := s.files.ReadDir(name)
	return err == nil && slices.ContainsFunc(list, func(e fs.DirEntry) bool { return strings.EqualFold(path.Ext(e.Name()), ".pak") })
}

// isEntry reports whether a path leads to a file in an archive that is not itself an
// archive.
func (s *Explorer) isEntry(ctx context.Context, name string) bool {
	f, done, err := s.open.get(ctx, name)
	if err != nil {
		return false
	}
	defer done()
	return !f.Whole && source.IsFile(f.Place)
}

// views adds the views of an archive.
func (s *Explorer) views(ctx context.Context, o *question.Object, name string, card *answer.Card) *question.Object {
	files := tab{"files", "Files", "folder"}
	query := tab{"query", "Query", "query"}
	check := tab{"check", "Check", "check"}
	var tabs []tab
	switch {
	case card.Format == "gbx":
		o.Add("values", true)
		tabs = s.gbxViews(ctx, o, name, card.Facts)
		tabs = append(tabs, files, valuesAndBytes, query, check)
	case card.Format == "simutrans":
		tabs = []tab{{"objects", "Objects", "simutrans"}, files, bytesOnly, query, check}
		if s.canChange(name) {
			o.Add("changes", []string{"set"})
		}
	default:
		tabs = []tab{files, bytesOnly, check}
		if f, done, err := s.open.get(ctx, name); err == nil {
			if _, canEdit := f.Place.Archive.(archive.Editor); canEdit && s.canChange(name) {
				o.Add("changes", []string{answer.Put.Name, answer.Remove.Name, answer.Move.Name})
			}
			done()
		}
	}
	return o.Add("tabs", tabs)
}

// gbxViews returns the views of GBX classes that have their own screens.
func (s *Explorer) gbxViews(ctx context.Context, o *question.Object, name string, facts fact.Record) []tab {
	f, done, err := s.open.get(ctx, name)
	if err != nil {
		return nil
	}
	defer done()
	file := f.gbx()
	canChange := s.canChange(name)
	if m, err := maps.Of(file); err == nil {
		thumbnail, _ := facts.Get("thumbnail_sha256")
		o.Add("thumbnail", thumbnail.Value != nil).Add("question", ".header.chunks[].chunk")
		if canChange {
			o.Add("changes", mapChanges(m))
		}
		return []tab{{"map", "Map", "map"}, {"3d", "3D", "scene"}, {"blocks", "Blocks", "blocks"}}
	}
	_, notReplay := runs.ReplayOf(file)
	if _, notGhost := runs.GhostOf(file); notReplay == nil || notGhost == nil {
		if info, err := f.Stat("map.Map.Gbx"); err == nil && !info.IsDir() {
			o.Add("map", "map.Map.Gbx")
		}
		return []tab{{"replay", "Run", "replay"}, {"compare", "Compare", "compare"}}
	}
	if canChange {
		o.Add("changes", []string{"set"})
	}
	vertices, _ := facts.Get("vertex_count")
	if macro, err := maps.MacroblockOf(file); err == nil {
		blocks, items := macro.Blocks(), macro.Items()
		names := map[string]int{}
		for i := range blocks {
			names[blocks[i].Name]++
		}
		for i := range items {
			names[items[i].Model.ID.String()]++
		}
		o.Add("macroblock", new(question.Object).Add("blocks", len(blocks)).Add("items", len(items)).Add("names", names))
	}
	o.Add("thumbnail", hasIcon(f)).Add("mesh", vertices.Value != nil)
	return []tab{{"item", "About", "mesh"}}
}

// hasIcon reports whether a file has the icon of an item or block.
func hasIcon(f *openFile) bool {
	return slices.ContainsFunc(f.Entries(), func(e archive.Entry) bool { return strings.HasPrefix(e.Name, "icon.") })
}

// mapChanges lists the changes that a map allows.
func mapChanges(m *maps.Map) []string {
	var list []string
	for _, q := range answer.Questions() {
		if q.Change && strings.HasPrefix(q.Name, "map.") && (q != answers.SetMapMeta.Asked() || len(m.Meta()) > 0) {
			list = append(list, q.Name)
		}
	}
	return append(list, "set")
}

// canChange reports whether the page may save a file. It may not if the file is inside an
// archive.
func (s *Explorer) canChange(name string) bool {
	if s.opts.ReadOnly && !isDropped(name) {
		return false
	}
	info, err := s.files.Stat(name)
	return err == nil && !info.IsDir()
}

// checkChange returns an error if a change of the file at a path cannot be saved.
func (s *Explorer) checkChange(name string) error {
	if s.canChange(name) {
		return nil
	}
	if folder, err := s.files.Stat(path.Dir(name)); err == nil && folder.IsDir() {
		if _, err := s.files.Stat(name); errors.Is(err, fs.ErrNotExist) {
			return fault.InFile(err, name)
		}
	}
	return fault.InFile(fault.New(fault.Unsupported, "cannot be changed on this page"), name)
}

func title(name string, card *answer.Card) string {
	for _, f := range card.Facts {
		if text, ok := f.Value.(string); ok && f.Name == "name" && text != "" {
			return nadeo.Plain(text)
		}
	}
	return path.Base(name)
}

// cardLines returns the lines of info.
func cardLines(card *answer.Card) []line {
	out := []line{{Label: "Format", Text: card.Format, Storage: true}}
	for _, f := range card.Facts {
		if !f.OnCard() {
			continue
		}
		l := line{Name: f.Name, Label: f.Label, Text: f.Text(), Storage: f.Storage}
		if raw, ok := f.Value.(string); ok && f.Kind == fact.Styled && strings.Contains(raw, "$") {
			l.Spans = nadeo.Spans(raw)
		}
		out = append(out, l)
	}
	return out
}

// shellPath quotes a path for a shell.
func shellPath(name string) string {
	if name == "" {
		return "."
	}
	if strings.IndexFunc(name, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("._-/+,@%", r))
	}) < 0 {
		return name
	}
	return "'" + strings.ReplaceAll(name, "'", `'\''`) + "'"
}
