// Package plug holds the chunks of the Plug engine (09): solids, materials,
// vehicles.
package plug
