package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// part is something that the program could do without, and the changes of the
// source that leave it out.
type part struct {
	what  string
	edits []edit
	left  string // what to call the rest, where its size is of interest
}

// edit takes a text out of a file, or puts another in its place.
type edit struct{ file, old, new string }

const commandList = "internal/cli/cli.go"

// parts are left out one after the other, because some share libraries: what a
// part weighs is what the program loses when those above it are gone.
var parts = []part{
	{what: "`serve --webdav`", edits: []edit{{"internal/cli/page/serve.go", "return a.serveDAV(ctx, paths, host, o)", "return nil"}}},
	{what: "`serve`: the explorer, net/http with TLS", edits: []edit{
		{commandList, "\t\"pakbox/internal/cli/page\"\n", ""}, {commandList, " page.Commands(a.App),", ""},
	}},
	{what: "`mount`: FUSE", edits: []edit{
		{commandList, "\t\"pakbox/internal/cli/mount\"\n", ""}, {commandList, " mount.Commands(a.App),", ""},
	}},
	{what: "`index`, `sql`, `find`, `dupes`, `stats`: SQLite", edits: []edit{
		{commandList, "\t\"pakbox/internal/cli/collection\"\n", ""}, {commandList, " collection.Commands(a.App),", ""},
		{"internal/cli/help.go", "\t\"pakbox/internal/cli/collection\"\n", ""},
		{"internal/cli/help.go", "func(*app) string { return collection.TablesText() }, func(*app) *answer.Object { return collection.TablesObject() }", "nil, nil"},
	}},
	{what: "telemetry as Parquet", edits: []edit{
		{"internal/cli/nadeo/telemetry_set.go", "\t\"pakbox/internal/answer/columnar\"\n", ""},
		{"internal/cli/nadeo/telemetry_set.go", "columnar.Telemetry(f, lines)", "nil"},
		{"internal/cli/nadeo/replay_telemetry.go", "\t\"pakbox/internal/answer/columnar\"\n", ""},
		{"internal/cli/nadeo/replay_telemetry.go", "columnar.Telemetry(&b, lines)", "nil"},
	}, left: "the program without page, mount and index, and what they brought along"},
	{what: "`query`: jq's language", edits: []edit{{commandList, "{Name: \"query\", Make: a.queryCommand},", ""}}},
	{what: "typefaces of PNG pictures", edits: []edit{
		{"trackmania/picture/typeface.go", "parse(goregular.TTF), parse(gobold.TTF), parse(dejavusans.TTF)", "parse(nil), parse(nil), parse(nil)"},
		{"trackmania/picture/typeface.go", "\t\"github.com/go-fonts/dejavu/dejavusans\"\n", ""},
		{"trackmania/picture/typeface.go", "\t\"golang.org/x/image/font/gofont/gobold\"\n", ""},
		{"trackmania/picture/typeface.go", "\t\"golang.org/x/image/font/gofont/goregular\"\n", ""},
	}},
}

// sizes prints what the parts of the program weigh, as a table in Markdown. The
// source is not touched: the compiler is handed changed copies.
func sizes(ctx context.Context) error {
	work, err := os.MkdirTemp("", "pakbox-sizes-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	b := &sizeBuild{work: work, changed: map[string]string{}}
	whole, err := b.size(ctx)
	if err != nil {
		return err
	}
	fmt.Printf("| part | MB |\n|---|---|\n")
	left := whole
	for _, p := range parts {
		if err := b.leaveOut(p); err != nil {
			return err
		}
		size, err := b.size(ctx)
		if err != nil {
			return fmt.Errorf("without %s: %w", p.what, err)
		}
		fmt.Printf("| %s | %.1f |\n", p.what, megabytes(left-size))
		left = size
		if p.left != "" {
			fmt.Printf("| *%s* | *%.1f* |\n", p.left, megabytes(left))
		}
	}
	fmt.Printf("| all formats, and every other command | %.1f |\n| the whole program | %.1f |\n", megabytes(left), megabytes(whole))
	return nil
}

func megabytes(n int64) float64 { return float64(n) / 1e6 }

// sizeBuild builds the program from changed files.
type sizeBuild struct {
	work    string
	changed map[string]string // what stands in place of a file's text
}

func (b *sizeBuild) leaveOut(p part) error {
	for _, e := range p.edits {
		text, ok := b.changed[e.file]
		if !ok {
			data, err := os.ReadFile(filepath.FromSlash(e.file))
			if err != nil {
				return err
			}
			text = string(data)
		}
		if strings.Count(text, e.old) != 1 {
			return fmt.Errorf("%s does not have %q once: how to leave out %s has changed", e.file, e.old, p.what)
		}
		b.changed[e.file] = strings.Replace(text, e.old, e.new, 1)
	}
	return nil
}

// size builds and returns the length of the program, stripped as dist has it.
func (b *sizeBuild) size(ctx context.Context) (int64, error) {
	var overlay struct{ Replace map[string]string }
	overlay.Replace = map[string]string{}
	for file, text := range b.changed {
		copied := filepath.Join(b.work, strings.ReplaceAll(file, "/", "-"))
		if err := os.WriteFile(copied, []byte(text), 0o666); err != nil {
			return 0, err
		}
		at, err := filepath.Abs(filepath.FromSlash(file))
		if err != nil {
			return 0, err
		}
		overlay.Replace[at] = copied
	}
	data, err := json.Marshal(overlay)
	if err != nil {
		return 0, err
	}
	list, program := filepath.Join(b.work, "overlay.json"), filepath.Join(b.work, "pakbox")
	if err := os.WriteFile(list, data, 0o666); err != nil {
		return 0, err
	}
	cmd := exec.CommandContext(ctx, "go", "build", "-overlay", list, "-trimpath", "-buildvcs=false", "-tags", tags, "-ldflags=-s -w", "-o", program, "./cmd/pakbox")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	cmd.Stderr = os.Stderr
	if err := cmd.Run(); err != nil {
		return 0, err
	}
	info, err := os.Stat(program)
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}
