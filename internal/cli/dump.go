package cli

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"pakbox/archive"
	"pakbox/fault"
)

func (a *app) dumpCommand() *cobra.Command {
	var offsets, coverage bool
	cmd := &cobra.Command{
		Use:     "dump FILE...",
		GroupID: groupLook,
		Short:   "Show every value in a file",
		Long: `Dump shows what a file is made of: for a GBX file its header, nodes, chunks and
fields, for a Simutrans file its objects, nodes and fields, and what is not
understood as bytes.

With --json it writes a document that says everything about the file; that of a
GBX file is turned back into the same file by 'pakbox create --from-json'.

With --coverage it tells how much of the file is understood, chunk by chunk.`,
		Example: `  pakbox dump A.Map.Gbx
  pakbox dump --offsets A.Map.Gbx | less
  pakbox dump --json A.Map.Gbx > a.json
  pakbox dump --coverage *.Gbx`,
		Args: argCount(1, unlimited),
		RunE: func(cmd *cobra.Command, args []string) error {
			for _, file := range a.paths(cmd.Context(), "dump", args) {
				run := func(d archive.Dumper) error { return a.dump(file, d, offsets) }
				if coverage {
					run = func(d archive.Dumper) error { return a.coverage(file, d) }
				}
				if err := a.dumper(cmd.Context(), file, run); err != nil {
					a.fail("dump", file, err)
				}
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&offsets, "offsets", false, "show where each value lies, and its bytes")
	cmd.Flags().BoolVar(&coverage, "coverage", false, "tell how much is understood, by chunk and in total")
	return cmd
}

// dumper opens a file that has values to show.
func (a *app) dumper(ctx context.Context, file string, run func(archive.Dumper) error) error {
	s, err := a.open(ctx, file)
	if err != nil {
		return err
	}
	defer s.Close()
	d, ok := s.Archive.(archive.Dumper)
	if !ok || !s.whole {
		return noValues(s, file)
	}
	return run(d)
}

// noValues says that a file has no values of its own.
func noValues(s *source, file string) error {
	if s.Format() == folderFormat {
		return withHint(fault.InFile(fault.New(fault.Unsupported, "is a folder, and only files have values"), file), "to see what is in it: pakbox ls %s", file)
	}
	return withHint(fault.InFile(fault.New(fault.Unsupported, "%s files have no values to show one by one", s.Format()), file), "to see what is in it: pakbox ls %s", file)
}

func (a *app) dump(file string, d archive.Dumper, offsets bool) error {
	if !a.json {
		return d.DumpText(a.out, offsets)
	}
	a.meter.hide()
	if err := writeDump(a.out, file, d); err != nil {
		return err
	}
	return a.out.WriteByte('\n')
}

// writeDump writes the document of a file.
func writeDump(w io.Writer, file string, d archive.Dumper) error {
	path, err := marshal(file)
	if err != nil {
		return err
	}
	head := fmt.Appendf(nil, `{"schema":"pakbox.dump/1","path":%s,"format":%q,`, path, d.Format())
	if err := d.DumpJSON(&headed{w, head}); err != nil {
		return err
	}
	_, err = io.WriteString(w, "}")
	return err
}

// headed writes a head when there is something to follow it: of a document
// that cannot be made nothing is written, and the error stands alone.
type headed struct {
	w    io.Writer
	head []byte
}

func (h *headed) Write(p []byte) (int, error) {
	if _, err := h.w.Write(h.head); err != nil {
		return 0, err
	}
	h.head = nil
	return h.w.Write(p)
}

func (a *app) coverage(file string, d archive.Dumper) error {
	c, err := d.Coverage()
	if err != nil {
		return err
	}
	if a.json {
		return a.print(newObject("dump", file, d.Format()).
			add("body_bytes", c.Bytes).add("decoded_bytes", c.Decoded).add("chunks", c.Parts))
	}
	fmt.Fprintf(a.out, "%s: %s of %d body bytes understood\n", printable(file), percent(c.Decoded, c.Bytes), c.Bytes)
	for _, p := range c.Parts {
		where := "body"
		if p.Header {
			where = "header"
		}
		fmt.Fprintf(a.out, "  %-8s %-6s %6d x %10d bytes %7s  %s\n", p.Name, where, p.Count, p.Bytes, percent(p.Decoded, p.Bytes), p.Class)
	}
	return nil
}

func percent(part, whole int64) string {
	if whole == 0 {
		return "100%"
	}
	return fmt.Sprintf("%.4g%%", 100*float64(part)/float64(whole))
}
