// Package mw holds the chunks of the foundation engine (01).
package mw
