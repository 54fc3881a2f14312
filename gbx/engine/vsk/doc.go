// Package vsk holds the chunks of Virtual Skipper's own engine (21).
package vsk
