// Package system holds the chunks of the System engine (0B): settings.
package system
