package table

import (
	"math"
	"strconv"
	"strings"

	"pakbox/fault"
)

// Values reads named values that a person wrote: the cells of a row, or the values of a
// step in a recipe. All methods return nil for a value that is not given. Err is the
// first error.
type Values struct {
	Get func(name string) (text string, given bool)
	Err error
}

// Fail records an error, unless there is one already.
func (v *Values) Fail(format string, args ...any) {
	if v.Err == nil {
		v.Err = fault.New(fault.BadEntry, format, args...)
	}
}

// Text reads a text with any characters.
func (v *Values) Text(name string) *string {
	if text, given := v.Get(name); given {
		return &text
	}
	return nil
}

// Integer reads a whole number.
func (v *Values) Integer(name string) *int {
	text, given := v.Get(name)
	if !given {
		return nil
	}
	n, err := strconv.ParseInt(text, 10, 32)
	if err != nil {
		v.Fail("%s: %q is not a whole number", name, text)
	}
	whole := int(n)
	return &whole
}

// Number reads a number.
func (v *Values) Number(name string) *float32 {
	text, given := v.Get(name)
	if !given {
		return nil
	}
	n := v.number(name, text)
	return &n
}

func (v *Values) number(name, text string) float32 {
	n, err := strconv.ParseFloat(text, 32)
	if err != nil || math.IsNaN(n) || math.IsInf(n, 0) {
		v.Fail("%s: %q is not a number", name, text)
	}
	return float32(n)
}

// Vector reads three numbers separated by commas.
func (v *Values) Vector(name string) *Vector {
	text, given := v.Get(name)
	if !given {
		return nil
	}
	parts, out := strings.Split(text, ","), Vector{}
	if len(parts) != len(out) {
		v.Fail("%s: %q is not of the form x,y,z", name, text)
		return &out
	}
	for i := range out {
		out[i] = v.number(name, parts[i])
	}
	return &out
}

// Flag reads yes or no, or true or false in any case, as spreadsheets write them.
func (v *Values) Flag(name string) *bool {
	text, given := v.Get(name)
	if !given {
		return nil
	}
	yes := text == "yes" || strings.EqualFold(text, "true")
	if !yes && text != "no" && !strings.EqualFold(text, "false") {
		v.Fail("%s: %q is neither yes nor no, true nor false", name, text)
	}
	return &yes
}

// Flags reads the flags of a block or item, in hexadecimal.
func (v *Values) Flags(name string) *Flags {
	text, given := v.Get(name)
	if !given {
		return nil
	}
	var f Flags
	if f.UnmarshalText([]byte(text)) != nil {
		v.Fail("%s: %q is not a hexadecimal number", name, text)
	}
	return &f
}
