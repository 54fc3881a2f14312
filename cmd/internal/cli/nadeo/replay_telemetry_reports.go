package nadeo

import (
	"pakbox/cmd/internal/cli/kit"
	"pakbox/nadeo/runs"
)

var (
	columnsReport      = kit.NewReport[columnList]("replay.telemetry", "--columns", "the columns of telemetry")
	eventsReport       = kit.NewReport[eventList]("replay.telemetry", "--events", "the events of runs")
	telemetryReport    = kit.NewReport[writtenTelemetry]("replay.telemetry", "-o or -C", "the new file with telemetry")
	telemetrySetReport = kit.NewReport[telemetryFiles]("replay.telemetry", "--parquet", "the new set of files with telemetry")
)

type columnList struct {
	Columns []columnFields `json:"columns" doc:"all columns that telemetry can have"`
}

type columnFields struct {
	Name  string        `json:"name" doc:"name of the column"`
	Unit  string        `json:"unit" doc:"unit of the values"`
	Sure  runs.Evidence `json:"known" doc:"how well the meaning is known"`
	Usual bool          `json:"usual" doc:"whether the column is there unless --fields chooses others"`
	Doc   string        `json:"doc" doc:"meaning of the values"`
}

type eventList struct {
	Events []runEvent `json:"events" doc:"events of the runs, in the order of time"`
}

type runEvent struct {
	Ghost    int     `json:"ghost" doc:"number of the run in the file"`
	Driver   int     `json:"driver" doc:"0 for the driver of the ghost; others come from the record of a server"`
	Time     float64 `json:"time_s" doc:"time of the run in seconds"`
	Kind     string  `json:"event" doc:"kind of the event"`
	Waypoint *int64  `json:"waypoint" doc:"number of the waypoint"`
	Effect   *string `json:"effect" doc:"effect of the surface or block"`
}

type writtenTelemetry struct {
	kit.Made
	Files int `json:"files" doc:"number of files that were read"`
	Lines int `json:"lines" doc:"number of driven lines"`
	Rows  int `json:"rows" doc:"number of samples"`
}

type telemetryFiles struct {
	Files  int   `json:"files" doc:"number of files that were read and written"`
	Others int   `json:"others" doc:"number of files without runs"`
	Lines  int64 `json:"lines" doc:"number of driven lines"`
	Rows   int64 `json:"rows" doc:"number of samples"`
}
