package answer

import (
	"fmt"
	"strings"
	"time"

	"pakbox/archive"
)

// SizeText gives a number of bytes as people say it.
func SizeText(n int64) string {
	if n < 0 {
		return "unknown"
	}
	if n < 1024 {
		return Count(n, "byte")
	}
	value, units := float64(n)/1024, "KMGTPE"
	for value >= 1023.95 && len(units) > 1 {
		value, units = value/1024, units[1:]
	}
	return fmt.Sprintf("%.1f %ciB", value, units[0])
}

// Count gives a number of things.
func Count[N int | int64](n N, thing string) string {
	switch {
	case n == 1:
		return "1 " + thing
	case strings.HasSuffix(thing, "y"):
		return fmt.Sprintf("%d %sies", n, strings.TrimSuffix(thing, "y"))
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// TimeText gives a moment as people write it, in their own time zone.
func TimeText(t time.Time) string {
	if t.IsZero() {
		return "-"
	}
	return t.Local().Format("2006-01-02 15:04")
}

// FactText is what people see of a fact.
func FactText(f archive.Fact) string {
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
		return TimeText(v)
	case []string:
		return strings.Join(v, ", ")
	}
	return fmt.Sprint(f.Value)
}

// LongSize is SizeText with the exact number where that says less.
func LongSize(n int64) string {
	if n < 1024 {
		return SizeText(n)
	}
	return fmt.Sprintf("%s (%d bytes)", SizeText(n), n)
}

// OrList joins names as a question does: a, b or c.
func OrList(names []string) string {
	last := len(names) - 1
	if last == 0 {
		return names[0]
	}
	return strings.Join(names[:last], ", ") + " or " + names[last]
}

// Percent gives a share of a whole.
func Percent(part, whole int64) string {
	if whole == 0 {
		return "100%"
	}
	return fmt.Sprintf("%.4g%%", 100*float64(part)/float64(whole))
}
