package kit

import (
	"bytes"
	"encoding/csv"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"pakbox/cmd/internal/question"
	"pakbox/fact"
	"pakbox/fact/condition"
	"pakbox/fault"
	"pakbox/internal/lib/spell"
)

// Columns has the form of a command's rows: a table for people or CSV
// for programs, with chosen fields, rows and order.
type Columns struct {
	table, csv bool
	fields     []string
	where      []string
	sort       []string

	facts      func() []*fact.Fact
	conditions []condition.Condition
	filter     *fact.Fact // the column that holds the conditions in CSV, if there is one
}

// MarkFilter adds a column to CSV that conditions made shorter. A command that reads the
// list again sees there that rows are missing.
func (c *Columns) MarkFilter(name string) {
	c.filter = &fact.Fact{Name: name, Kind: fact.Text, Doc: "conditions of the rows"}
}

// marksFilter reports whether the column of MarkFilter is printed.
func (c *Columns) marksFilter() bool {
	return c.filter != nil && c.csv && len(c.where) > 0 && len(c.fields) == 0
}

// Flags adds the flags for it to a command. facts are the fields for shell completion,
// and for checking conditions.
func (c *Columns) Flags(cmd *cobra.Command, facts ...*fact.Fact) {
	c.LazyFlags(cmd, func() []*fact.Fact { return facts })
}

// LazyFlags is Flags for fields that are collected only when completion or a condition
// needs them.
func (c *Columns) LazyFlags(cmd *cobra.Command, facts func() []*fact.Fact) {
	c.facts = facts
	offer := func(_ *cobra.Command, _ []string, typed string) (names []string, _ cobra.ShellCompDirective) {
		before := typed[:strings.LastIndexByte(typed, ',')+1]
		if strings.HasPrefix(typed[len(before):], "-") {
			before += "-"
		}
		for _, f := range facts() {
			if name := before + f.Name; f.Kind != fact.Group && strings.HasPrefix(name, typed) && !slices.Contains(names, name+"\t"+f.Doc) {
				names = append(names, name+"\t"+f.Doc)
			}
		}
		return names, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
	}
	defer func() {
		for _, flag := range []string{"fields", "where", "sort"} {
			cmd.RegisterFlagCompletionFunc(flag, offer)
		}
	}()
	flags := cmd.Flags()
	flags.BoolVar(&c.table, "table", false, "print a table")
	flags.BoolVar(&c.csv, "csv", false, "print CSV")
	flags.StringSliceVar(&c.fields, "fields", nil, "print only these `FIELDS`, by their names in --json: name,medals.author")
	flags.StringArrayVar(&c.where, "where", nil, "print only rows for which `CONDITION` holds: author=someone, laps>1, name~sunset")
	flags.StringSliceVar(&c.sort, "sort", nil, "order rows by these `FIELDS`; -size is largest first")
	cmd.MarkFlagsMutuallyExclusive("table", "csv")
}

// Wanted reports whether rows are requested, and checks the flags.
func (c *Columns) Wanted() (bool, error) {
	c.conditions = nil
	for _, text := range c.where {
		parsed, err := condition.Parse(text)
		if err != nil {
			return false, fault.Usagef("--where: %v", err).Hint("such as --where 'author=someone', --where 'laps>1', --where 'name~sunset'")
		}
		if err := c.mistake(parsed); err != nil {
			return false, err
		}
		c.conditions = append(c.conditions, parsed)
	}
	return c.Given(), nil
}

// Given reports whether rows are requested. It does not check the flags.
func (c *Columns) Given() bool {
	return c.table || c.csv || len(c.fields)+len(c.where)+len(c.sort) > 0
}

// mistake reports before any file is read that the value of a condition fits no fact of
// its name.
func (c *Columns) mistake(where condition.Condition) (mistake error) {
	if c.facts == nil {
		return nil // the fields are known only from the rows
	}
	for _, f := range c.facts() {
		if f.Name != where.Field {
			continue
		}
		if mistake = where.Fits(f.Kind); mistake == nil {
			return nil
		}
	}
	return mistake
}

// CSV reports whether all rows are requested as CSV, unsorted and complete.
func (c *Columns) CSV() bool { return c.csv && len(c.named()) == 0 }

// Stream begins rows whose fields are known before the first row. Rows that need no
// sorting or alignment are then printed at once. The head is printed once, although the
// runs about several files may all begin rows.
func (a *App) Stream(c *Columns, names []string) error {
	if err := c.check(names, names); err != nil {
		return err
	}
	if !c.csv || a.JSON || len(c.sort) > 0 {
		return nil
	}
	a.outcome.streamed = names
	if c.marksFilter() {
		a.outcome.streamed = append(slices.Clip(names), c.filter.Name)
	}
	if len(c.fields) > 0 {
		a.outcome.streamed = c.fields
	}
	var head bytes.Buffer
	w := csv.NewWriter(&head)
	w.Write(a.outcome.streamed)
	w.Flush()
	return a.head(head.Bytes())
}

// head prints the first line of rows, unless it is already printed.
func (a *App) head(line []byte) (err error) {
	switch {
	case a.lane != nil:
		a.lane.put(laneText{heading{}, line})
	case !a.headed:
		a.headed = true
		_, err = a.Out.Write(line)
	}
	return err
}

// AddRow adds a row for PrintRows, if all conditions hold.
func (a *App) AddRow(c *Columns, r fact.Record) error {
	wanted, err := c.wants(r)
	if err != nil {
		return err
	}
	if c.marksFilter() {
		r = append(slices.Clip(r), fact.Value{Fact: c.filter, Value: strings.Join(c.where, " and ")})
	}
	if names := a.outcome.streamed; names != nil {
		if wanted {
			return a.printCSVLine(names, r)
		}
		return nil
	}
	for _, field := range c.named() {
		if _, ok := r.Get(field); ok {
			a.outcome.known = append(a.outcome.known, field)
		}
	}
	if len(a.outcome.names) == 0 {
		a.outcome.names = r.Names()
	}
	if wanted {
		a.outcome.rows = append(a.outcome.rows, r)
	}
	return nil
}

// Outcome returns the result for the file that the run is about.
func (a *App) Outcome() Tally { return a.outcome }

// wants reports whether a row fulfils all conditions.
func (c *Columns) wants(r fact.Record) (bool, error) {
	for _, condition := range c.conditions {
		v, _ := r.Get(condition.Field)
		if holds, err := condition.Holds(v); !holds || err != nil {
			return false, err
		}
	}
	return true, nil
}

// printCSVLine prints the named fields of a row.
func (a *App) printCSVLine(names []string, r fact.Record) error {
	cells := make([]string, len(names))
	for i, name := range names {
		v, _ := r.Get(name)
		cells[i] = condition.Raw(v.Value)
	}
	w := csv.NewWriter(a.Out)
	w.Write(cells)
	w.Flush()
	return w.Error()
}

// named lists the fields that the flags name.
func (c *Columns) named() []string {
	names := slices.Clone(c.fields)
	for _, condition := range c.conditions {
		names = append(names, condition.Field)
	}
	for _, field := range c.sort {
		names = append(names, strings.TrimPrefix(field, "-"))
	}
	return names
}

// PrintRows prints the rows of a tally. usual are the fields that people look for first.
func (a *App) PrintRows(c *Columns, t Tally, usual ...string) error {
	if a.headed {
		return nil // they were streamed
	}
	if len(t.names) > 0 {
		if err := c.check(t.known, t.names); err != nil {
			return err
		}
	}
	rows := t.rows
	slices.SortStableFunc(rows, func(x, y fact.Record) int {
		for _, field := range c.sort {
			name, descending := strings.CutPrefix(field, "-")
			v, _ := x.Get(name)
			w, _ := y.Get(name)
			if order := condition.Compare(v, w, descending); order != 0 {
				return order
			}
		}
		return 0
	})
	switch {
	case a.JSON:
		for _, r := range rows {
			if len(c.fields) > 0 {
				r = r.Pick(c.fields)
			}
			if err := a.PrintRecord(r); err != nil {
				return err
			}
		}
		return nil
	case c.csv:
		return a.printCSV(c.columns(rows, t.names), rows)
	}
	if len(rows) == 0 {
		if a.Code == ExitOK { // otherwise a failure was printed
			a.Note("nothing to list")
		}
		return nil
	}
	a.printRows(c.columns(rows, usual), rows, len(c.fields) == 0)
	return nil
}

// check rejects unknown fields. names are the suggestions.
func (c *Columns) check(known, names []string) error {
	for _, field := range c.named() {
		if slices.Contains(known, field) {
			continue
		}
		u := fault.Usagef("unknown field %q", field)
		also := []string{fact.Author.Name, fact.Environment.Name, fact.Title.Name, fact.Driver.Name} // these find facts too
		if near := spell.Near(field, slices.Concat(names, also), 1); len(near) > 0 {
			return u.Hint("did you mean %s?", near[0])
		}
		return u.Hint("fields are %s", strings.Join(names, ", "))
	}
	return nil
}

// columns returns the fields to print: the requested ones, or those of the list for which
// a row has a value.
func (c *Columns) columns(rows []fact.Record, list []string) (names []string) {
	if len(c.fields) > 0 {
		return c.fields
	}
	for _, name := range list {
		if slices.ContainsFunc(rows, func(r fact.Record) bool {
			v, _ := r.Get(name)
			return v.Value != nil && v.Value != ""
		}) && name != "schema" {
			names = append(names, name)
		}
	}
	return names
}

func (a *App) printCSV(columns []string, rows []fact.Record) error {
	if len(columns) == 0 {
		return nil // no file had columns
	}
	w := csv.NewWriter(a.Out)
	w.Write(columns)
	cells := make([]string, len(columns))
	for _, r := range rows {
		for i, name := range columns {
			v, _ := r.Get(name)
			cells[i] = condition.Raw(v.Value)
		}
		w.Write(cells)
	}
	w.Flush()
	return w.Error()
}

// PrintRecord prints a record as one line of JSON.
func (a *App) PrintRecord(r fact.Record) error {
	a.Meter.Hide()
	line, err := r.MarshalJSON()
	if err != nil {
		return err
	}
	_, err = a.Out.Write(append(line, '\n'))
	return err
}

// printRows prints a table. If mayLeave is set, columns without space are omitted, and a
// line below the table names them.
func (a *App) printRows(columns []string, rows []fact.Record, mayLeave bool) {
	t := Table{Width: a.width(), numbers: make([]bool, len(columns))}
	head := make([]string, len(columns))
	for i, name := range columns {
		head[i] = a.Paint(Strong, strings.ToUpper(name))
		t.numbers[i] = len(rows) > 0
	}
	t.Add(head...)
	for _, r := range rows {
		cells := make([]string, len(columns))
		for i, name := range columns {
			v, _ := r.Get(name)
			cells[i] = PrintableStyled(question.CellText(v, a.Colours()), a.Colours())
			if _, err := strconv.ParseFloat(cells[i], 64); err != nil && cells[i] != "" {
				t.numbers[i] = false
			}
		}
		t.Add(cells...)
	}
	var left []string
	if mayLeave {
		left = t.fit()
	}
	t.Print(a.Out)
	for _, reason := range left {
		a.Note("%s", reason)
	}
	if len(left) > 0 {
		a.Note("--fields chooses columns, --csv prints all")
	}
}

// PrintableStyled is Printable, but keeps colour codes if colours is set.
func PrintableStyled(s string, colours bool) string {
	if !colours || !strings.Contains(s, "\x1b[") {
		return Printable(s)
	}
	parts := strings.Split(s, "\x1b[")
	for i, part := range parts {
		if code, text, ok := strings.Cut(part, "m"); i > 0 && ok {
			parts[i] = code + "m" + Printable(text)
		} else {
			parts[i] = Printable(part)
		}
	}
	return strings.Join(parts, "\x1b[")
}

// width returns the width of the terminal in characters, or 0 without a limit.
func (a *App) width() int {
	f, ok := a.Env.Stdout.(*os.File)
	if !ok || !a.Out.Terminal {
		return 0
	}
	width, _, err := term.GetSize(int(f.Fd()))
	if err != nil {
		return 0
	}
	return width
}
