package mapsample

import (
	"testing"

	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/trackmania"
)

// New returns the sample as a map, or ends the test.
func New(tb testing.TB) *trackmania.Map {
	tb.Helper()
	data, err := Map()
	if err != nil {
		tb.Fatal(err)
	}
	return Parsed(tb, data)
}

// Parsed reads the bytes of a map, or ends the test.
func Parsed(tb testing.TB, data []byte) *trackmania.Map {
	tb.Helper()
	f, err := gbx.Parse(data, engine.Registry())
	if err != nil {
		tb.Fatal(err)
	}
	m, err := trackmania.MapOf(f)
	if err != nil {
		tb.Fatal(err)
	}
	return m
}
