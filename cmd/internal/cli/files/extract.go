package files

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"github.com/spf13/cobra"

	"pakbox/archive"
	"pakbox/archive/imagefile"
	"pakbox/cmd/internal/cli/kit"
	"pakbox/cmd/internal/question"
	"pakbox/cmd/internal/source"
	"pakbox/fact"
	"pakbox/fault"
	"pakbox/internal/lib/quote"
)

func extractCommand(a *kit.App) *cobra.Command {
	o := extracting{roots: map[string]*string{}}
	var many kit.Many
	cmd := &cobra.Command{
		Use:        "extract ARCHIVE... [PATH...]",
		GroupID:    kit.GroupLook,
		SuggestFor: []string{"unpack", "unzip", "x", "export"},
		Short:      "Write files from an archive into a folder",
		Long: `Extract writes the files of an archive into a folder. PATHs choose some of them:
a PATH is a file, a folder, or a pattern. The folder is made if it does not
exist. For any names in an archive, nothing is written outside the folder.
Each of several ARCHIVEs is extracted into a folder with its name.

A file that cannot be extracted does not stop the others; each failure is
reported. A file with a wrong checksum is reported, and written only with
--keep-damaged. This flag also writes the readable parts of a damaged GBX file:
its pictures, the facts of its header, its body up to where it breaks. Files
that exist are left alone unless --force is given.

--png writes textures as pictures that every program shows: stone.dds and
stone.tga become stone.dds.png and stone.tga.png.`,
		Example: `  pakbox extract game.vpk -C folder
  pakbox extract game.vpk -C folder docs '**/*.dds'
  pakbox extract backup.zip/game.vpk/textures -C folder
  pakbox extract *.vpk -C folder
  curl https://example.org/game.vpk | pakbox extract - -C folder`,
		RunE: func(cmd *cobra.Command, args []string) error {
			a.Opener.Streams = true
			archives, paths := kit.SplitFiles(args, func(arg string) bool { return isArchive(a, arg) })
			inputs := a.Inputs(many, "extract", archives)
			if cmd.Flags().Changed("directory") {
				o.into = o.to.Dir
			}
			if len(inputs) == 1 && inputs[0].Folder == "" {
				o.jobs = many.Jobs
				return extract(cmd.Context(), a, inputs[0].Path, paths, o)
			}
			o.jobs = 1
			t := a.EachInput(many, "extract", "extracting", inputs, func(run *kit.App, name string) error {
				one := o
				one.to.Dir = o.to.Folder(run.Subject)
				return extract(run.Ctx, run, name, paths, one)
			})
			a.Summary(t, "extracted", "")
			return nil
		},
	}
	many.Flags(cmd)
	cmd.Flags().StringVarP(&o.to.Dir, "directory", "C", ".", "extract into `DIR`")
	cmd.Flags().BoolVar(&o.to.Force, "force", false, "replace files that exist")
	cmd.Flags().BoolVar(&o.keepDamaged, "keep-damaged", false, "also write files with a wrong checksum, and the readable part of a damaged GBX file")
	cmd.Flags().BoolVar(&o.png, "png", false, "write textures (DDS, TGA) as PNG")
	for _, f := range a.Formats {
		if root := archive.RootOf(f); root.Param != "" && o.roots[root.Param] == nil {
			o.roots[root.Param] = cmd.Flags().String(root.Param, root.Folder, "`FOLDER` in which to put what the archive has below "+root.Place+"; . for none")
		}
	}
	return cmd
}

// extracting holds the flags of extract.
type extracting struct {
	to               kit.Output
	png, keepDamaged bool
	jobs             int
	into             string             // the folder that the user named
	roots            map[string]*string // folder for each root, by the name of the setting
}

// isArchive reports whether an argument after the first is another archive, and not a
// path inside the first: it is an existing file with the name of an archive.
func isArchive(a *kit.App, arg string) bool {
	info, err := os.Stat(arg)
	return err == nil && info.Mode().IsRegular() && len(a.Formats.ByPath(arg)) > 0
}

func extract(ctx context.Context, a *kit.App, name string, args []string, o extracting) error {
	dir := o.to.Dir
	end := a.Watch("extracting")
	defer end()
	s, damage := a.OpenAny(ctx, name)
	if damage != nil {
		if !o.keepDamaged || !errors.Is(damage, fault.Corrupt) {
			return damage
		}
		var nothing error
		if s, nothing = a.Salvage(ctx, name); nothing != nil {
			return damage
		}
	}
	defer s.Close()
	s.Opts.Workers = o.jobs
	files, bytes, notes := 0, int64(0), []string(nil)
	opts := archive.ExtractOptions{
		Options:   s.Opts,
		Overwrite: o.to.Force, KeepDamaged: o.keepDamaged,
		Note: func(sentence string) { notes = append(notes, sentence) },
		Extracted: func(e archive.Entry, name string) {
			files++
			bytes += extractedSize(e, dir, name)
		},
	}
	if folder := o.roots[s.Root().Param]; folder != nil {
		opts.RootFolder = *folder
	}
	if o.png {
		opts.Convert = texturesAsPNG
	}
	if len(args) > 0 {
		chosen, err := source.SelectEntries(s, args)
		if err != nil {
			if last := args[len(args)-1]; o.into == "" && errors.Is(err, fs.ErrNotExist) && (source.IsFolder(last) || path.Ext(last) == "") {
				return fault.WithHint(err, "if %s is the folder to extract into: pakbox extract %s -C %s", last, quote.Word(name), quote.Word(last))
			}
			return err
		}
		opts.Select = func(name string) bool { return chosen[name] }
	}
	err := archive.Extract(ctx, s.Archive, dir, opts)
	end()
	failures := kit.InFolder(name, dir, err)
	if damage != nil {
		failures = append(failures, damage)
	}
	if a.JSON && ctx.Err() == nil {
		extractReport.Print(a, name, s.Format(), extracted{dir, files, bytes, notes, a.NewFailures(failures)})
	} else if files > 0 || err == nil {
		a.Note("extracted %s (%s) to %s", question.Count(files, "file"), fact.SizeText(bytes), folderText(dir))
		printNotes(a, notes)
	}
	if len(failures) > 0 {
		return kit.Reported(errors.Join(failures...))
	}
	return nil
}

// extractedSize returns the size of an extracted file. If the content is generated, the
// size is known only after writing.
func extractedSize(e archive.Entry, dir, name string) int64 {
	if e.Size >= 0 {
		return e.Size
	}
	if info, err := os.Stat(filepath.Join(dir, filepath.FromSlash(name))); err == nil {
		return info.Size()
	}
	return 0
}

// folderText names a folder in messages.
func folderText(dir string) string {
	if here, err := filepath.Abs(dir); err == nil && dir == "." {
		return "this folder, " + filepath.ToSlash(here)
	}
	return dir
}

// texturesAsPNG converts textures for extract --png.
func texturesAsPNG(name string) (as string, convert func(dst io.Writer, src io.Reader) error) {
	if !imagefile.IsTexture(name) {
		return name, nil
	}
	return name + ".png", func(dst io.Writer, src io.Reader) error { return imagefile.WritePNG(dst, name, src) }
}

var extractReport = kit.NewReport[extracted]("extract", "", "the files that were extracted")

type extracted struct {
	Target string   `json:"target" doc:"folder of the files"`
	Files  int      `json:"files" doc:"number of files"`
	Bytes  int64    `json:"bytes" doc:"size of the files in bytes"`
	Notes  []string `json:"notes,omitempty" doc:"what was changed to fit the system"`
	kit.FailedEntries
}
