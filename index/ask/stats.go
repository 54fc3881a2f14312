package ask

import "context"

// Share is how much of what is there falls under a name.
type Share struct {
	Name  string `json:"name"`
	Files int64  `json:"files"`
	Bytes int64  `json:"bytes"`
}

// Section is what is there by one thing.
type Section struct {
	Name   string  `json:"by"`
	Shares []Share `json:"shares"`
}

// sections are what Stats tells: who is counted, and by what.
var sections = []struct{ name, from, by, order string }{
	{"kind", "files f where f.parent is null", "f.kind", byCount},
	{"format", "files f where f.parent is null", "f.format", byCount},
	{"status", "files f where f.parent is null", "f.status", byCount},
	{"game", "files f where f.parent is null and f.format = 'gbx'", "f.game", byCount},
	{"class", "files f where f.parent is null and f.format = 'gbx'", "f.class_name", byCount},
	{"environment", "maps m join files f using (file) where f.parent is null", "nullif(m.collection_name, '')", byCount},
	{"mode", "maps m join files f using (file) where f.parent is null", "m.mode", byCount},
	{"object", "sim_objects o join files f using (file)", "o.type", byCount},
	{"year", "files f where f.parent is null and f.mtime_ns is not null", yearFunction + "(f.mtime_ns)", "1"},
	{"size", "files f where f.parent is null", sizeClass, "min(f.size)"},
}

const (
	byCount   = "2 desc, 1"
	sizeClass = `case when f.size < 1024 then 'below 1 KiB' when f.size < 10240 then '1 to 10 KiB' when f.size < 102400 then '10 to 100 KiB'
		when f.size < 1048576 then '100 KiB to 1 MiB' when f.size < 10485760 then '1 to 10 MiB' else '10 MiB and more' end`
)

// Stats tells what is there, by kind, format, game, environment, year, size and
// so on. What has no name there is "". Sections that would be empty are left
// out.
func (x *Index) Stats(ctx context.Context) ([]Section, error) {
	var out []Section
	for _, s := range sections {
		section := Section{Name: s.name}
		var v Share
		query := "select ifnull(" + s.by + ", ''), count(*), sum(f.size) from " + s.from + " group by 1 order by " + s.order
		err := x.each(ctx, query, nil, []any{&v.Name, &v.Files, &v.Bytes}, func() { section.Shares = append(section.Shares, v) })
		if err != nil {
			return nil, err
		}
		if len(section.Shares) > 0 {
			out = append(out, section)
		}
	}
	return out, nil
}
