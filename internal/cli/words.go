package cli

import (
	"fmt"
	"pakbox/archive"
	"strings"
	"time"
)

// sizeText gives a number of bytes as people say it.
func sizeText(n int64) string {
	if n < 0 {
		return "unknown"
	}
	if n < 1024 {
		return count(n, "byte")
	}
	value, units := float64(n)/1024, "KMGTPE"
	for value >= 1023.95 && len(units) > 1 {
		value, units = value/1024, units[1:]
	}
	return fmt.Sprintf("%.1f %ciB", value, units[0])
}

// count gives a number of things.
func count[N int | int64](n N, thing string) string {
	switch {
	case n == 1:
		return "1 " + thing
	case strings.HasSuffix(thing, "y"):
		return fmt.Sprintf("%d %sies", n, strings.TrimSuffix(thing, "y"))
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

func timeText(t time.Time) string {
	if t.IsZero() {
		return "-"
	}
	return t.Local().Format("2006-01-02 15:04")
}

// factText is what people see of a fact.
func factText(f archive.Fact) string {
	if f.Text != "" {
		return f.Text
	}
	switch v := f.Value.(type) {
	case nil:
		return "-"
	case bool:
		if v {
			return "yes"
		}
		return "no"
	case time.Time:
		return timeText(v)
	case []string:
		return strings.Join(v, ", ")
	}
	return fmt.Sprint(f.Value)
}

func longSize(n int64) string {
	if n < 1024 {
		return sizeText(n)
	}
	return fmt.Sprintf("%s (%d bytes)", sizeText(n), n)
}

// orList joins names as a question does: a, b or c.
func orList(names []string) string {
	last := len(names) - 1
	if last == 0 {
		return names[0]
	}
	return strings.Join(names[:last], ", ") + " or " + names[last]
}

func percent(part, whole int64) string {
	if whole == 0 {
		return "100%"
	}
	return fmt.Sprintf("%.4g%%", 100*float64(part)/float64(whole))
}
