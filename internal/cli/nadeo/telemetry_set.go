package nadeo

import (
	"context"
	"encoding/hex"
	"errors"
	"net/url"
	"os"
	"path/filepath"

	"github.com/zeebo/blake3"

	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/internal/answer"
	"pakbox/internal/lib/parallel"
	"pakbox/internal/source"
	"pakbox/trackmania"
)

// telemetrySet writes the lines of many files as one set of Parquet files, a
// folder for each map and a file for each run's file. What they are called
// follows from the path of that file, so that the same files give the same set,
// and more can be added.
func (a *app) telemetrySet(ctx context.Context, command string, args []string, choice answer.GhostChoice, step gbx.Time, dir string) error {
	files, err := a.telemetryFiles(ctx, command, args)
	if err != nil {
		return err
	}
	type part struct {
		lines, rows int
		err         error
	}
	var lines, rows, written, others int
	defer a.Watch("writing telemetry")()
	err = parallel.Ordered(ctx, 0, len(files), 0, func(int) int64 { return 0 },
		func(ctx context.Context, i int) (part, error) {
			var p part
			p.err = answer.WithRuns(ctx, a.Opener, files[i], func(f *gbx.File, ghosts []*trackmania.Ghost) error {
				all, err := answer.DrivenLines(files[i], ghosts, choice, step)
				if err != nil {
					return err
				}
				p.lines = len(all)
				for k := range all {
					p.rows += len(all[k].Samples)
				}
				return writePart(dir, files[i], mapOf(f, ghosts), all)
			})
			return p, nil
		},
		func(i int, p part) error {
			switch {
			case errors.Is(p.err, fault.NotFormat) || errors.Is(p.err, trackmania.ErrNotRecorded):
				others++ // a folder has all kinds of files
			case p.err != nil:
				a.Fail(command, files[i], p.err)
			default:
				written, lines, rows = written+1, lines+p.lines, rows+p.rows
			}
			return nil
		})
	if err != nil {
		return err
	}
	if a.JSON {
		return a.Print(answer.New(command, dir, "").Add("files", written).Add("others", others).Add("lines", lines).Add("rows", rows))
	}
	a.Note("%s of %s, %s, in %s; %d without a recorded line left out", answer.Count(lines, "line"), answer.Count(written, "file"), answer.Count(rows, "row"), dir, others)
	return nil
}

// telemetryFiles lists the files that are meant: for a folder, all below it.
func (a *app) telemetryFiles(ctx context.Context, command string, args []string) (files []string, err error) {
	for _, path := range a.Paths(ctx, command, args) {
		if !source.IsFolder(path) {
			files = append(files, path)
			continue
		}
		below, err := source.FilesBelow(path)
		if err != nil {
			return nil, err
		}
		for _, f := range below {
			files = append(files, filepath.ToSlash(f))
		}
	}
	return files, nil
}

// mapOf is the UID of the map that was driven on; "" if nobody says.
func mapOf(f *gbx.File, ghosts []*trackmania.Ghost) string {
	if r, err := trackmania.ReplayOf(f); err == nil {
		if uid := r.MapIdent().ID.String(); uid != "" {
			return uid
		}
	}
	for _, g := range ghosts {
		if uid := g.MapUID(); uid != "" {
			return uid
		}
	}
	return ""
}

// noMap is what programs that read such sets call a part without a value.
const noMap = "__HIVE_DEFAULT_PARTITION__"

func writePart(dir, name, uid string, lines []answer.DrivenLine) error {
	part := noMap
	if uid != "" {
		part = url.PathEscape(uid)
	}
	folder := filepath.Join(dir, "map_uid="+part)
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return err
	}
	sum := blake3.Sum256([]byte(name))
	return source.StageFile(filepath.Join(folder, hex.EncodeToString(sum[:8])+".parquet"), true, func(f *os.File) error {
		return answer.TelemetryParquet(f, lines)
	})
}
