package index_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"testing"

	"pakbox"
	"pakbox/archive/imagefile"
	"pakbox/cmd/internal/answer"
	"pakbox/cmd/internal/answer/nadeo"
	"pakbox/cmd/internal/question"
	"pakbox/cmd/internal/source"
	"pakbox/fault"
	"pakbox/index"
	"pakbox/index/ask"
	"pakbox/index/scan"
	"pakbox/index/sqlite"
	"pakbox/internal/lib/pathname"
	"pakbox/internal/testkit/corpus"
	"pakbox/nadeo/maps"
	"pakbox/nadeo/maps/table"
)

// The rows of an index of real files of all formats are what the commands on
// single files say, file by file.
func TestRowsAreWhatCommandsSay(t *testing.T) {
	ctx := context.Background()
	var roots []string
	for _, name := range []string{"gbx", "gbx-hard", "nadeopak", "vpk42", "eterpack", "simutrans"} {
		roots = append(roots, corpus.Dir(t, name))
	}
	file := filepath.Join(t.TempDir(), "index.sqlite")
	db, err := sqlite.Open(ctx, file)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := scan.Run(ctx, db, roots, scan.Options{Indexer: index.Indexer{Check: true}}); err != nil {
		t.Fatal(err)
	}
	db.Close()
	x, err := ask.Open(ctx, file)
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	c := &comparison{t, x, source.NewOpener(pakbox.Formats()), map[string]int{}}
	for _, f := range c.rows("select path, file, status, format from files order by path") {
		if f["status"] == "ok" {
			c.file(f["path"].(string), f["file"])
		}
	}
	for table, least := range map[string]int{"maps": 300, "replays": 100, "ghosts": 150, "map_blocks": 300, "packs": 60, "sim_objects": 150, "pictures": 500, "check_verdicts": 500} {
		if c.compared[table] < least {
			t.Errorf("only %d of %s were compared", c.compared[table], table)
		}
	}
	t.Log(c.compared)
}

type comparison struct {
	*testing.T
	index    *ask.Index
	opener   *source.Opener
	compared map[string]int
}

// rows are what the index has.
func (c *comparison) rows(query string, args ...any) (list []map[string]any) {
	c.Helper()
	found, err := c.index.SQL(context.Background(), query, args...)
	if err != nil {
		c.Fatal(err)
	}
	for row, err := range found.Rows(context.Background()) {
		if err != nil {
			c.Fatal(err)
		}
		m := map[string]any{}
		for i, name := range found.Columns {
			m[name] = row[i]
		}
		list = append(list, m)
	}
	return list
}

// file compares the rows of one file.
func (c *comparison) file(path string, key any) {
	ctx := context.Background()
	at := &question.At{Path: path, Opener: c.opener}
	card, err := answer.FileInfo.Ask(ctx, at, question.NoParams{})
	if err != nil {
		c.Errorf("%s: %v", path, err)
		return
	}
	printed := c.printed(at.Reply(answer.FileInfo.Asked(), card))
	_, isMap := printed["baked_block_count"]
	_, isReplay := printed["ghosts"]
	c.table("maps", path, key, printed, isMap)
	c.table("replays", path, key, printed, isReplay)
	if isMap {
		c.blocks(path, key)
	}
	if ghosts, ok := printed["ghosts"].([]any); ok && isReplay {
		rows := c.rows("select * from ghosts where file = ? order by ghost", key)
		if len(rows) != len(ghosts) {
			c.Errorf("%s: %d ghosts, want %d", path, len(rows), len(ghosts))
			return
		}
		for i, g := range ghosts {
			c.compare("ghosts", path, rows[i], g.(map[string]any))
		}
		c.verdicts(path, key)
	}
	if _, isGhost := printed["sample_count"]; isGhost {
		c.table("ghosts", path, key, printed, true)
	}
	switch card.Format {
	case "gbx":
	case imagefile.Format:
		c.table("pictures", path, key, printed, true)
	default:
		c.listing(path, key)
	}
}

// printed is the output of a command with --json.
func (c *comparison) printed(o json.Marshaler) map[string]any {
	data, err := o.MarshalJSON()
	if err != nil {
		c.Fatal(err)
	}
	m := map[string]any{}
	if err := json.Unmarshal(data, &m); err != nil {
		c.Fatal(err)
	}
	for _, group := range []string{"medals", "size"} {
		if members, ok := m[group].(map[string]any); ok {
			for name, v := range members {
				m[group+"_"+name] = v
			}
		}
	}
	return m
}

// table compares the row of a table that has one for such a file.
func (c *comparison) table(name, path string, key any, printed map[string]any, is bool) {
	rows := c.rows("select * from "+name+" where file = ?", key)
	switch {
	case is != (len(rows) == 1) || len(rows) > 1:
		c.Errorf("%s: %d rows of %s", path, len(rows), name)
	case is:
		c.compare(name, path, rows[0], printed)
	}
}

// compare compares the columns that a command also prints.
func (c *comparison) compare(table, path string, row, printed map[string]any) {
	common := 0
	for name, want := range printed {
		got, ok := row[name]
		if !ok {
			continue
		}
		if _, list := want.([]any); list {
			data, _ := json.Marshal(want)
			want = string(data)
		}
		if text(got) != text(want) {
			c.Errorf("%s: %s of %s is %v, want %v", path, name, table, got, want)
		}
		common++
	}
	if common < 3 {
		c.Errorf("%s: the command prints only %d columns of %s", path, common, table)
	}
	c.compared[table]++
}

// text is a value in the form of either: SQLite has no booleans, and a missing value
// may be null.
func text(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case bool:
		if v {
			return "1"
		}
		return "0"
	case float64:
		return fmt.Sprintf("%.0f", v)
	}
	return fmt.Sprint(v)
}

func (c *comparison) blocks(path string, key any) {
	err := nadeo.WithMap(context.Background(), c.opener, path, func(_ *source.Source, m *maps.Map) error {
		want := map[string]int64{}
		for _, n := range table.Count(table.On(m, true, false)) {
			want[n.Kind+" "+n.Name] = int64(n.Count)
		}
		got := c.rows("select kind, name, count from map_blocks where file = ?", key)
		if len(got) != len(want) {
			c.Errorf("%s: %d names of blocks, want %d", path, len(got), len(want))
		}
		for _, r := range got {
			if k := fmt.Sprint(r["kind"], " ", r["name"]); want[k] != r["count"] {
				c.Errorf("%s: %v x %s, want %d", path, r["count"], k, want[k])
			}
		}
		c.compared["map_blocks"]++
		return nil
	})
	if err != nil {
		c.Error(path, err)
	}
}

func (c *comparison) verdicts(path string, key any) {
	rows := c.rows("select state, detail from check_verdicts where file = ? order by rowid", key)
	checked, err := nadeo.Check.Ask(context.Background(), &question.At{Path: path, Opener: c.opener}, question.NoParams{})
	if errors.Is(err, fault.NotFormat) {
		checked, err = &nadeo.Checked{}, nil // a file without a run
	}
	if err != nil {
		c.Error(path, err)
		return
	}
	verdicts := checked.Verdicts
	for _, g := range checked.Ghosts {
		verdicts = append(verdicts, g.Verdicts...)
	}
	for n, v := range verdicts {
		if n >= len(rows) || rows[n]["state"] != string(v.State) || rows[n]["detail"] != v.Detail {
			c.Errorf("%s: verdict %d is not %s", path, n, v.Detail)
		}
	}
	if len(verdicts) != len(rows) {
		c.Errorf("%s: %d verdicts, want %d", path, len(rows), len(verdicts))
	}
	c.compared["check_verdicts"] += len(verdicts)
}

// listing compares what ls lists.
func (c *comparison) listing(path string, key any) {
	list, err := answer.FileList.Ask(context.Background(), &question.At{Path: path, Opener: c.opener}, answer.FileList.NewParams())
	if err != nil {
		c.Error(path, err)
		return
	}
	if list.Groups != nil {
		rows := c.rows("select name, type, bytes from sim_objects where file = ? order by object", key)
		if len(rows) != len(list.Groups) {
			c.Errorf("%s: %d objects, want %d", path, len(rows), len(list.Groups))
		}
		c.compared["sim_objects"] += len(rows)
		return
	}
	rows := c.rows("select name, size, stored_size from entries where file = ? order by entry", key)
	if len(c.rows("select 1 from packs where file = ?", key)) == 0 {
		return // the other file of a pair
	}
	if len(rows) != len(list.Entries) {
		c.Errorf("%s: %d entries, want %d", path, len(rows), len(list.Entries))
		return
	}
	for i, e := range list.Entries {
		if rows[i]["name"] != pathname.Escaped(e.Name) || rows[i]["stored_size"] != e.StoredSize || rows[i]["size"] != nil && rows[i]["size"] != e.Size {
			c.Errorf("%s: entry %d is %v, want %+v", path, i, rows[i], e)
		}
	}
	c.compared["packs"]++
}
