package index

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"pakbox/cmd/internal/cli/kit"
	"pakbox/cmd/internal/question"
	"pakbox/cmd/internal/source"
	"pakbox/cmd/internal/watch"
	"pakbox/fact"
	"pakbox/fault"
	"pakbox/index"
	"pakbox/index/parquet"
	"pakbox/index/scan"
	"pakbox/index/sqlite"
	"pakbox/index/store"
	"pakbox/internal/lib/csvline"
	"pakbox/internal/lib/quote"
)

// indexEndings are the file extensions of an index.
var indexEndings = []string{".sqlite", ".sqlite3", ".db"}

// indexing holds the flags of index.
type indexing struct {
	out, parquet string
	shard        string
	watch        bool
	removed      bool // out is removed when the tables are written
	join, on     string
	filesFrom    string
	exclude      []string
	options      scan.Options
}

func indexCommand(a *kit.App) *cobra.Command {
	var o indexing
	cmd := &cobra.Command{
		Use:     "index PATH... -o FILE",
		GroupID: kit.GroupIndex,
		Short:   "Make a database of what is in all your files",
		Long: `Index reads every file below the given paths, also those in archives and
replays. It writes their facts into tables: files, maps, blocks, items, replays,
ghosts, packs, entries, Simutrans objects and more. FILE is an SQLite database
for 'pakbox find', 'pakbox sql', 'pakbox dupes', 'pakbox stats', and every other
program that reads SQLite; --parquet writes the same tables as Parquet files.

A file that cannot be read has a row with the reason. The next run reads only new
and changed files, and takes out files that are gone; files on a disk that is
not connected stay. If a run is interrupted, the next one goes on from there.
--watch keeps the index current until it is interrupted.

For more files than one machine can read, --shard I/N takes the Ith of N parts,
and 'pakbox index merge' puts parts together. --check, --lint and --verify also
store what replay check, map lint and verify say; that takes longer.

s3://BUCKET/FOLDER names objects of an S3 store, with the keys, the region
and the endpoint (AWS_ENDPOINT_URL) that AWS's tools use. No other command and no
other path uses the network.

--join adds facts from elsewhere, such as the records of a site. The file holds
JSON objects, one behind the other. They become the table join_NAME; --on names
the member of the objects by which it is joined.`,
		Example: `  pakbox index Documents/Trackmania -o my.pakbox.sqlite
  pakbox index Maps Replays -o my.pakbox.sqlite --parquet tables
  pakbox index /data -o part-3.sqlite --shard 3/16
  pakbox index merge part-*.sqlite -o all.sqlite
  pakbox index s3://maps/2024 -o maps.pakbox.sqlite
  find Maps -mtime -7 | pakbox index --files-from - -o my.pakbox.sqlite
  pakbox index -o my.pakbox.sqlite --join records.jsonl --on uid`,
		Args: kit.ArgCount(0, kit.Unlimited),
		RunE: func(cmd *cobra.Command, args []string) error { return indexFiles(cmd.Context(), a, args, o) },
	}
	flags := cmd.Flags()
	flags.StringVarP(&o.out, "output", "o", "", "keep the index in `FILE`, which is brought up to date if it exists")
	flags.StringVar(&o.parquet, "parquet", "", "write the tables as Parquet files into `DIR`")
	flags.StringVar(&o.shard, "shard", "", "take part `I/N` of the files, by a hash of their paths: 1/16 to 16/16")
	flags.BoolVar(&o.watch, "watch", false, "keep the index current until interrupted")
	flags.BoolVar(&o.options.Rehash, "rehash", false, "read all files again, whatever their times say")
	flags.BoolVar(&o.options.Indexer.Check, "check", false, "store the results of replay check")
	flags.BoolVar(&o.options.Indexer.Lint, "lint", false, "store what map lint finds")
	flags.BoolVar(&o.options.Indexer.Verify, "verify", false, "store what verify finds")
	flags.BoolVar(&o.options.Indexer.Contents, "contents", false, "unpack every entry of archives, and store its size and hash")
	flags.BoolVar(&o.options.Indexer.Places, "places", false, "store where every block and item of maps stands")
	flags.StringVar(&o.filesFrom, "files-from", "", "also index the files and folders that `FILE` lists, one a line; - is standard input")
	flags.StringArrayVar(&o.exclude, "exclude", nil, "leave out files and folders that `PATTERN` matches: '*.bak', 'Old/**'")
	flags.StringVar(&o.join, "join", "", "also make a table of the JSON objects in `FILE`")
	flags.StringVar(&o.on, "on", "", "join by this `MEMBER` of the objects, such as uid")
	kit.JobsFlag(cmd, &o.options.Workers)
	cmd.MarkFlagsRequiredTogether("join", "on")
	cmd.MarkFlagsMutuallyExclusive("watch", "parquet")
	merge := mergeCommand(a)
	run := merge.RunE
	merge.RunE = func(cmd *cobra.Command, args []string) error { return run(cmd, kit.UnmarkPaths(args)) }
	cmd.AddCommand(merge)
	return cmd
}

func indexFiles(ctx context.Context, a *kit.App, args []string, o indexing) error {
	if len(args) == 0 && o.join == "" && o.filesFrom == "" {
		return fault.Usagef("index: no input files given").Hint("name files or folders: pakbox index Maps -o my.pakbox.sqlite")
	}
	if len(args) == 0 && o.filesFrom == "" && o.out == "" {
		return fault.Usagef("index: no index file given").Hint("name it with -o FILE")
	}
	if o.out == "" && (o.parquet == "" || o.watch) {
		return fault.Usagef("index: the index needs a name").Hint("give it with -o my.pakbox.sqlite")
	}
	var err error
	if o.options.Shard, o.options.Shards, err = parseShard(o.shard); err != nil {
		return err
	}
	var objects []string
	args = slices.DeleteFunc(args, func(arg string) bool {
		if store.Is(arg) {
			objects = append(objects, arg)
		}
		return store.Is(arg)
	})
	paths, err := a.LocalPaths(args)
	if err != nil {
		return err
	}
	if len(objects) > 0 {
		if o.watch {
			return fault.Usagef("index: --watch does not go with %s", objects[0])
		}
		if o.options.Store, err = store.Open(a.Env.Getenv); err != nil {
			return err
		}
		paths = append(paths, objects...)
	}
	listed, err := listed(a, o.filesFrom)
	if err != nil {
		return err
	}
	paths = append(paths, listed...)
	if o.options.Indexer.Options, err = a.WithoutAsking().Options(""); err != nil {
		return err
	}
	o.options.Indexer.Options.Progress, o.options.Indexer.Formats = nil, a.Env.Formats
	if o.out == "" {
		dir, err := os.MkdirTemp("", "pakbox-index-")
		if err != nil {
			return err
		}
		defer os.RemoveAll(dir)
		o.out, o.removed = filepath.Join(dir, "index.sqlite"), true
	}
	if a.Env.Getenv("GOGC") == "" {
		debug.SetGCPercent(collectAt)
	}
	if err := kit.Promises(o.out, indexEndings...); err != nil {
		return err
	}
	ours := own(o.out, o.parquet)
	o.options.Skip = func(name string) bool { return ours(name) || excluded(o.exclude, name) }
	if o.parquet != "" {
		o.options.Listed = true
		if err := parquet.Claim(ctx, parquet.Disk(o.parquet), o.options.Shards); err != nil {
			return err
		}
	}
	db, err := sqlite.Open(ctx, o.out)
	if err != nil {
		return err
	}
	defer db.Close()
	if o.join != "" {
		if err := join(ctx, a, db, o); err != nil {
			return err
		}
	}
	switch {
	case len(paths) == 0:
		return nil
	case o.watch:
		return watchFolders(ctx, a, db, paths, o)
	}
	r, err := scanFolders(ctx, a, db, paths, o, true)
	if err != nil {
		return err
	}
	return export(ctx, a, o, r)
}

// listed reads a list of files and folders: one per line, or each followed by a zero
// byte, as find -print0 writes them.
func listed(a *kit.App, from string) ([]string, error) {
	if from == "" {
		return nil, nil
	}
	r := a.Env.Stdin
	if from != "-" {
		f, err := os.Open(from)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		r = f
	}
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	data = csvline.Text(data)
	end := "\n"
	if bytes.IndexByte(data, 0) >= 0 {
		end = "\x00"
	}
	var list []string
	for name := range strings.SplitSeq(string(data), end) {
		if name = strings.TrimSuffix(name, "\r"); name != "" {
			list = append(list, name)
		}
	}
	if len(list) == 0 {
		return nil, fault.Usagef("--files-from: %s lists no file", from)
	}
	// UTF-16 without its mark would name the root of the disk, for each slash in it.
	if end == "\x00" && !slices.ContainsFunc(list, func(name string) bool { return len(name) > 1 }) {
		return nil, fault.Usagef("--files-from: %s looks like UTF-16 without a byte order mark", from).Hint("save it as UTF-8")
	}
	return list, nil
}

// excluded reports whether the last parts of a path match one of the patterns.
func excluded(patterns []string, name string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool { return source.MatchPath("**/"+strings.TrimSuffix(p, "/"), name) })
}

// join adds a table of facts from another file.
func join(ctx context.Context, a *kit.App, db *sqlite.DB, o indexing) error {
	f, err := os.Open(o.join)
	if err != nil {
		return err
	}
	defer f.Close()
	text, err := csvline.TextReader(f)
	if err != nil {
		return err
	}
	table := sqlite.JoinName(o.join)
	rows, err := db.Join(ctx, table, text, o.on)
	if err != nil {
		return fault.InFile(db.InFile(err), o.join)
	}
	a.Note("%s in the table %s", question.Count(rows, "row"), table)
	return nil
}

// collectAt is the garbage collector's target in percent. Nearly everything that index
// allocates is garbage once a file is done. Rarer collection saves a third of the time.
const collectAt = 400

// parseShard reads I/N, where I begins with 1.
func parseShard(s string) (shard, shards int, err error) {
	if s == "" {
		return 0, 0, nil
	}
	left, right, _ := strings.Cut(s, "/")
	i, err1 := strconv.Atoi(left)
	n, err2 := strconv.Atoi(right)
	if err1 != nil || err2 != nil || i < 1 || i > n {
		return 0, 0, fault.Usagef("--shard: %q is not a part of a whole", s).Hint("parts of sixteen are 1/16 to 16/16")
	}
	return i - 1, n, nil
}

// own returns a function that recognises the files that index itself writes. It computes
// the absolute path only if the last part matches.
func own(out, dir string) func(path string) bool {
	ours := map[string]string{} // absolute paths by last part
	for _, name := range []string{out, out + "-wal", out + "-shm", out + "-journal", dir} {
		if abs, err := filepath.Abs(name); err == nil && name != "" {
			ours[filepath.Base(abs)] = abs
		}
	}
	return func(name string) bool {
		where, ok := ours[path.Base(name)]
		if !ok {
			return false
		}
		abs, err := filepath.Abs(filepath.FromSlash(name))
		return err == nil && abs == where
	}
}

// scanFolders updates the index once. It prints what it did if anything changed, or on the first
// run.
func scanFolders(ctx context.Context, a *kit.App, db *sqlite.DB, paths []string, o indexing, first bool) (scan.Result, error) {
	if err := o.options.SamePart(ctx, db); err != nil {
		return scan.Result{}, err
	}
	end := a.Watch("indexing")
	defer end()
	o.options.Progress = a.Progress
	r, err := scan.Run(ctx, db, paths, o.options)
	end()
	if err != nil {
		return r, err
	}
	for _, p := range r.Problems {
		if !p.Indexed && first {
			a.Remember(p.Err)
			a.Say(p.Err)
		}
	}
	if !first && r.Read+r.Removed == 0 {
		return r, nil
	}
	if a.JSON {
		made := o.out
		if o.removed {
			made = o.parquet
		}
		return r, indexReport.Print(a, made, "", indexedFields(r))
	}
	a.Note("%s", resultText(r))
	return r, tellDamage(ctx, a, db, o)
}

// tellDamage prints how many files of an index are damaged, and how to list them.
func tellDamage(ctx context.Context, a *kit.App, db *sqlite.DB, o indexing) error {
	shares, err := db.Shares(ctx)
	find := "pakbox find " + quote.Word(o.out) + " status="
	if o.removed {
		find = "in the table files, where status is "
	}
	for _, s := range shares {
		switch {
		case s.Section != "status":
		case s.Name == index.StatusDamaged:
			a.Note("%d damaged: %s%s", s.Files, find, s.Name)
		case s.Name == index.StatusPartial:
			a.Note("%d readable in part: %s%s", s.Files, find, s.Name)
		}
	}
	return err
}

var indexReport = kit.NewReport[indexed]("index", "", "what an index took from the files")

type indexed struct {
	Files     int64         `json:"files" doc:"number of files in the index"`
	Bytes     int64         `json:"bytes" doc:"size of these files"`
	Unchanged int64         `json:"unchanged" doc:"number of files that had not changed"`
	Read      int64         `json:"read" doc:"number of files that were read"`
	Reused    int64         `json:"reused" doc:"number of files whose rows were taken from a file with the same content"`
	Removed   int64         `json:"removed" doc:"number of files that are gone"`
	Kept      int64         `json:"kept" doc:"number of files that cannot be seen now; their rows stay"`
	Problems  []fileProblem `json:"problems" doc:"files that could not be read"`
}

type fileProblem struct {
	Path  string          `json:"path" doc:"path of the file"`
	Error *question.Error `json:"error" doc:"reason"`
}

func indexedFields(r scan.Result) indexed {
	problems := []fileProblem{}
	for _, p := range r.Problems {
		problems = append(problems, fileProblem{p.Path, question.ErrorOf(p.Err)})
	}
	return indexed{r.Files, r.Bytes, r.Unchanged, r.Read, r.Reused, r.Removed, r.Absent, problems}
}

func resultText(r scan.Result) string {
	text := fmt.Sprintf("%s, %s: %d read, %d unchanged, %d removed", question.Count(r.Files, "file"), fact.SizeText(r.Bytes), r.Read, r.Unchanged, r.Removed)
	if r.Absent > 0 {
		text += fmt.Sprintf(", %d that cannot be seen now kept", r.Absent)
	}
	if n := len(r.Problems); n > 0 {
		text += fmt.Sprintf(", %d not readable", n)
	}
	return text
}

// export writes the index as Parquet, if requested. The shard that finishes last writes
// the manifest.
func export(ctx context.Context, a *kit.App, o indexing, r scan.Result) error {
	if o.parquet == "" {
		return nil
	}
	if len(r.Unseen) > 0 { // the manifest would wrongly call the empty list complete
		a.Note("%s: no tables written, because %s could not be listed", o.parquet, strings.Join(r.Unseen, ", "))
		return nil
	}
	defer a.Watch("writing Parquet")()
	db, err := sqlite.OpenReadOnly(ctx, o.out)
	if err != nil {
		return err
	}
	defer db.Close()
	dir, m := parquet.Disk(o.parquet), parquet.NewManifest(r.Listing, o.options.Shard, o.options.Shards)
	m.Problems = r.UnlistedFolders()
	if err := parquet.Write(ctx, dir, m, sqlite.Tables(ctx, db)); err != nil {
		return err
	}
	missing, err := parquet.Complete(ctx, dir, m)
	if len(missing) > 0 {
		a.Note("%s: not complete: of %d parts, these are missing or of another list of files: %s", o.parquet, m.Parts, strings.Trim(fmt.Sprint(missing), "[]"))
	}
	return err
}

// watchFolders updates the index whenever a file changes, until it is interrupted. Files that
// programs may not have finished keep their rows.
func watchFolders(ctx context.Context, a *kit.App, db *sqlite.DB, paths []string, o indexing) error {
	first := true
	w := &watch.Watcher{Waits: func(names []string, reason watch.Reason) { waiting(a, names, reason) }}
	o.options.Unfinished, o.options.Doubt = w.Unfinished, w.Doubt
	return a.Follow(w, paths, o.options.Skip, func() error {
		_, err := scanFolders(ctx, a, db, paths, o, first)
		if !first && errors.Is(err, context.Canceled) {
			return nil
		}
		first, o.options.Rehash = false, false // only in the first round
		return err
	})
}

// waiting lists the pending files.
func waiting(a *kit.App, names []string, reason watch.Reason) {
	which := names[0]
	if n := len(names) - 1; n > 0 {
		which += fmt.Sprintf(" and %d more", n)
	}
	if reason == watch.Open {
		a.Note("waiting for %s: a program has it open for writing", which)
		return
	}
	a.Note("waiting for %s: not whole, and changed lately; without a change it soon counts as damaged", which)
}
