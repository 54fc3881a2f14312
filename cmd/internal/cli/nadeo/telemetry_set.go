package nadeo

import (
	"encoding/hex"
	"net/url"
	"os"
	"path/filepath"
	"sync/atomic"

	"github.com/zeebo/blake3"

	"pakbox/cmd/internal/answer/columnar"
	"pakbox/cmd/internal/answer/nadeo"
	"pakbox/cmd/internal/cli/kit"
	"pakbox/cmd/internal/question"
	"pakbox/cmd/internal/source"
)

// telemetrySet writes the lines of many files as a set of Parquet files: a folder for
// each map, and a file for each input file. The names follow from the input paths, so
// that the same inputs give the same set, and more can be added.
func telemetrySet(a *kit.App, command string, many kit.Many, args []string, read readLines, dir string) error {
	var lines, rows atomic.Int64
	t := a.Each(many, command, "writing", args, func(run *kit.App, name string) error {
		t, err := read(run, name)
		if err != nil {
			return err
		}
		lines.Add(int64(len(t.Lines)))
		rows.Add(int64(t.Lines.Samples()))
		return writePart(dir, name, t)
	})
	written := t.Files - t.Failed
	if a.JSON {
		return telemetrySetReport.Print(a, dir, "", telemetryFiles{written, t.Others, lines.Load(), rows.Load()})
	}
	a.Note("%s of %s, %s, in %s", question.Count(lines.Load(), "line"), question.Count(written, "file"), question.Count(rows.Load(), "row"), dir)
	return nil
}

// noMap is the folder name that programs for such sets use for a missing value.
const noMap = "__HIVE_DEFAULT_PARTITION__"

func writePart(dir, name string, t *nadeo.Telemetry) error {
	part := noMap
	if t.Map != "" {
		part = url.PathEscape(t.Map)
	}
	folder := filepath.Join(dir, "map_uid="+part)
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return err
	}
	sum := blake3.Sum256([]byte(name))
	return source.StageFile(filepath.Join(folder, hex.EncodeToString(sum[:8])+".parquet"), true, func(f *os.File) error {
		return columnar.Telemetry(t.Lines, f)
	})
}
