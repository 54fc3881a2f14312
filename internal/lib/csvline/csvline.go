// Package csvline writes cells of CSV faster than encoding/csv.
package csvline

import (
	"encoding/binary"
	"math"
	"math/bits"
	"slices"
	"strconv"
	"strings"
)

// AppendText appends a text, in quotes if CSV requires them.
func AppendText(b []byte, s string) []byte {
	if plain(s) {
		return append(b, s...)
	}
	return append(append(append(b, '"'), strings.ReplaceAll(s, `"`, `""`)...), '"')
}

// plain reports whether a text needs no quotes. The loop is faster than
// strings.ContainsAny, which builds a set of characters for every text.
func plain(s string) bool {
	for i := range len(s) {
		switch s[i] {
		case '"', '\r', '\n', ',':
			return false
		}
	}
	return (s == "" || s[0] != ' ') && s != `\.`
}

// AppendNumber appends a number with this many digits, at least 6; with -1 it writes the
// fewest digits that restore the number. Whole numbers are faster.
func AppendNumber(b []byte, v float64, digits, bits int) []byte {
	const beyond = 1e6
	if n := int64(v); float64(n) == v && -beyond < v && v < beyond && (n != 0 || !math.Signbit(v)) {
		if 0 <= n && n < 10 { // the most frequent case
			return append(b, byte('0'+n))
		}
		return strconv.AppendInt(b, n, 10)
	}
	if digits > 0 {
		if b, ok := appendDecimal(b, v, digits); ok {
			return b
		}
	}
	return strconv.AppendFloat(b, v, 'g', digits, bits)
}

// powers are the powers of ten for appendDecimal; all are exact.
var powers = [...]float64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12}

const (
	// most is the largest number of digits that appendDecimal writes.
	most = 9
	// smallest is the binary exponent of 1e-4, the smallest number that it handles.
	smallest = -14
	// longestNumber is the space that appendDecimal needs, including bytes that it writes
	// too many.
	longestNumber = 24
)

// borders are the powers of ten from 1e-3 on. Those below 1 are rounded up, so that
// comparing a number with a border gives the exact result.
var borders = [...]float64{1e-3, 1e-2, 1e-1, 1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6}

// above gives for each binary exponent, from smallest on, the first of borders above that
// power of two.
var above = func() (all [34]uint8) {
	for e := range all {
		for borders[all[e]] <= math.Ldexp(1, e+smallest) {
			all[e]++
		}
	}
	return all
}()

// appendDecimal appends a number of ordinary size with up to nine digits, as strconv
// does, in a fifth of the time. It returns false for other numbers, and for those too
// close to a rounding limit.
func appendDecimal(b []byte, v float64, digits int) ([]byte, bool) {
	a := math.Abs(v)
	if !(a >= 1e-4 && a < 1e6) || digits > most {
		return b, false
	}
	border := int(above[int(math.Float64bits(a)>>52)-1023-smallest])
	if a >= borders[border] {
		border++
	}
	point := border - 3 // digits before the point; if negative, zeros after it
	// The error of the product is half a bit: for nine digits, a ten millionth.
	scaled := a * powers[digits-point]
	rounded := int64(scaled + 0.5) // signed, which is converted in one instruction
	if math.Abs(scaled-float64(rounded)) > 0.5-1e-6 {
		return b, false
	}
	n := uint64(rounded * int64(powers[most-digits]))
	if n >= 1e9 { // rounding up gave one digit more: 0.99999 became 1.0000
		n, point = n/10, point+1
	}
	first := n / 1e8
	others, many := eightDigits(n - 1e8*first)
	if cap(b)-len(b) < longestNumber {
		b = slices.Grow(b, 8*longestNumber)
	}
	// The sign without a branch, which the processor would guess wrongly half of the time.
	sign := int(math.Float64bits(v) >> 63)
	b = append(b, '-')[:len(b)+sign]
	to := b[len(b):][:longestNumber-1]
	if point <= 0 {
		*(*[5]byte)(to) = [5]byte([]byte("0.000"))
		to = to[2-point:]
		to[0] = byte('0' + first)
		binary.LittleEndian.PutUint64(to[1:], others)
		return b[:len(b)+3-point+many], true
	}
	to[0] = byte('0' + first)
	binary.LittleEndian.PutUint64(to[1:], others)
	if point > many {
		return b[:len(b)+point], true
	}
	to[point] = '.'
	binary.LittleEndian.PutUint64(to[point+1:], others>>(8*(point-1)))
	return b[:len(b)+many+2], true
}

// eightDigits returns the digits of a number below 1e8, the first in the lowest byte, and
// their number without trailing zeros. It divides several parts of the word at once, by
// multiplication.
func eightDigits(n uint64) (text uint64, many int) {
	halves := n/1e4 | n%1e4<<32
	hundreds := halves * 10486 >> 20 & 0x0000007f_0000007f
	pairs := hundreds | (halves-100*hundreds)<<16
	tens := pairs * 103 >> 10 & 0x000f_000f_000f_000f
	digits := tens | (pairs-10*tens)<<8
	return digits | 0x3030303030303030, 8 - bits.LeadingZeros64(digits)/8
}
