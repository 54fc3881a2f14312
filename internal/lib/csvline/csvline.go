// Package csvline writes cells of CSV faster than encoding/csv.
package csvline

import (
	"math"
	"slices"
	"strconv"
	"strings"
)

// AppendText appends a text, in quotes where CSV asks for them.
func AppendText(b []byte, s string) []byte {
	if s == "" || s[0] != ' ' && !strings.ContainsAny(s, "\"\r\n,") && s != `\.` {
		return append(b, s...)
	}
	return append(append(append(b, '"'), strings.ReplaceAll(s, `"`, `""`)...), '"')
}

// AppendNumber appends a number with digits digits, at least 6, or with -1 the
// fewest that read back. Whole numbers are faster.
func AppendNumber(b []byte, v float64, digits, bits int) []byte {
	const beyond = 1e6
	if n := int64(v); float64(n) == v && -beyond < v && v < beyond && (n != 0 || !math.Signbit(v)) {
		if 0 <= n && n < 10 { // most of all columns
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

// powers are the powers of ten that appendDecimal needs; all are exact.
var powers = [...]float64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13}

// appendDecimal appends a number of everyday size with up to nine digits, as
// strconv does, in a third of the time. It returns false for others, and for a
// number close to a half.
func appendDecimal(b []byte, v float64, digits int) ([]byte, bool) {
	a := math.Abs(v)
	if !(a >= 1e-4 && a < 1e6) {
		return b, false
	}
	point := 0 // digits before it; zeros behind it if negative
	for a >= powers[point] {
		point++
	}
	if point == 0 {
		for point > -3 && a*powers[1-point] < 1 {
			point--
		}
	}
	// The product is off by half a bit: for nine digits, a ten millionth.
	scaled := a * powers[digits-point]
	n := uint64(scaled)
	rest := scaled - float64(n)
	if math.Abs(rest-0.5) < 1e-6 {
		return b, false
	}
	if rest > 0.5 {
		n++
	}
	var room digitRoom
	at, all := room.write(n)
	many := digitsEnd - at
	point += all - digits // 0.99999 has become 1.0000, or looked like 1
	if cap(b)-len(b) < longestNumber {
		b = slices.Grow(b, 8*longestNumber)
	}
	if v < 0 {
		b = append(b, '-')
	}
	// Pieces of a fixed size, longer than what counts, are copied faster than others.
	to := b[len(b):cap(b)]
	switch {
	case point <= 0:
		*(*[5]byte)(to) = [5]byte([]byte("0.000"))
		*(*[10]byte)(to[2-point:]) = *(*[10]byte)(room[at:])
		return b[:len(b)+2-point+many], true
	case point >= many:
		*(*[10]byte)(to) = *(*[10]byte)(room[at:])
		return append(b[:len(b)+many], "000000"[:point-many]...), true
	}
	*(*[10]byte)(to) = *(*[10]byte)(room[at:])
	to[point] = '.'
	*(*[10]byte)(to[point+1:]) = *(*[10]byte)(room[at+point:])
	return b[:len(b)+many+1], true
}

// pairs are the digits of the numbers from 00 to 99.
var pairs = func() (all [200]byte) {
	for i := range 100 {
		all[2*i], all[2*i+1] = byte('0'+i/10), byte('0'+i%10)
	}
	return all
}()

// digitRoom holds the digits of a number, which end at digitsEnd. There is room behind
// them for copies of ten bytes.
type digitRoom [digitsEnd + 12]byte

const (
	digitsEnd     = 12
	longestNumber = 24 // that appendDecimal writes, with what its copies write too much
)

// write writes the digits of a number above 0 without the zeros at its end. At is the
// place of the first digit, all the number of digits with the zeros.
func (room *digitRoom) write(n uint64) (at, all int) {
	zeros := 0
	for n%100 == 0 {
		n /= 100
		zeros += 2
	}
	if n%10 == 0 {
		n /= 10
		zeros++
	}
	at = digitsEnd
	for n >= 100 {
		q := n / 100
		k := 2 * (n - 100*q)
		at -= 2
		room[at], room[at+1] = pairs[k], pairs[k+1]
		n = q
	}
	if at -= 2; n < 10 {
		at++
		room[at] = byte('0' + n)
	} else {
		room[at], room[at+1] = pairs[2*n], pairs[2*n+1]
	}
	return at, digitsEnd - at + zeros
}
