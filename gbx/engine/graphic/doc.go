// Package graphic holds the chunks of the Graphic engine (04): lights.
package graphic
