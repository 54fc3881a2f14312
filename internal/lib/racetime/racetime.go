// Package racetime formats and reads race times as players write them.
package racetime

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// None is the text for no time.
const None = "-:--.---"

// Text formats milliseconds as players write them: 0:36.217, 1:02:03.400.
func Text(ms int64) string {
	sign := ""
	if ms < 0 {
		sign, ms = "-", -ms
	}
	if h := ms / 3600000; h > 0 {
		return fmt.Sprintf("%s%d:%02d:%02d.%03d", sign, h, ms/60000%60, ms/1000%60, ms%1000)
	}
	return fmt.Sprintf("%s%d:%02d.%03d", sign, ms/60000, ms/1000%60, ms%1000)
}

// Delta formats a difference of times with its sign: +0.123, -62.500.
func Delta(ms int64) string {
	sign := "+"
	if ms < 0 {
		sign, ms = "-", -ms
	}
	return fmt.Sprintf("%s%d.%03d", sign, ms/1000, ms%1000)
}

// Gap formats the difference to another run as the games show it, and adds a word: -0.123
// ahead, +0.123 behind.
func Gap(ms int64) string {
	switch {
	case ms < 0:
		return Delta(ms) + " ahead"
	case ms > 0:
		return Delta(ms) + " behind"
	}
	return Delta(ms)
}

// Parse reads a time: 36.217, 0:36.21, 1:02:03.4; milliseconds are 36217 or
// 36217ms.
func Parse(s string) (ms int64, ok bool) {
	if ms, err := strconv.ParseUint(strings.TrimSuffix(s, "ms"), 10, 31); err == nil {
		return int64(ms), true
	}
	whole, fraction, dotted := strings.Cut(s, ".")
	if dotted && (fraction == "" || len(fraction) > 3) {
		return 0, false
	}
	parts := strings.Split(whole, ":")
	if len(parts) > 3 {
		return 0, false
	}
	for i, part := range parts {
		n, err := strconv.ParseUint(part, 10, 31)
		if err != nil || i > 0 && (len(part) != 2 || n > 59) {
			return 0, false
		}
		ms = ms*60 + int64(n)*1000
	}
	if dotted {
		n, err := strconv.ParseUint((fraction + "00")[:3], 10, 31)
		if err != nil {
			return 0, false
		}
		ms += int64(n)
	}
	return ms, ms <= math.MaxInt32
}
