package web

import (
	"fmt"
	"strconv"

	"pakbox/internal/lib/hint"
)

// routes are the questions, by name. Those of commands have the command's name
// and give its JSON.
var routes = map[string]route{
	// files and folders
	"home":     {answer: (*Server).home},
	"what":     {answer: (*Server).what},
	"children": {answer: (*Server).children},
	"info":     {answer: (*Server).info},
	"ls":       {answer: (*Server).list},
	"verify":   {answer: (*Server).verify},
	"diff":     {answer: (*Server).diff},
	"drop":     {post: true, answer: (*Server).drop},
	"unlock":   {post: true, answer: (*Server).unlock},
	// content
	"content":   {answer: (*Server).content},
	"text":      {answer: (*Server).text},
	"picture":   {answer: (*Server).picture},
	"thumbnail": {answer: (*Server).thumbnail},
	// values and bytes
	"values":   {answer: (*Server).values},
	"value":    {answer: (*Server).value},
	"value-at": {answer: (*Server).valueAt},
	"layers":   {answer: (*Server).layers},
	"bytes":    {answer: (*Server).bytes},
	"search":   {answer: (*Server).search},
	"get":      {answer: (*Server).get},
	"query":    {answer: (*Server).query},
	// maps and models
	"map.blocks":  {answer: (*Server).mapBlocks},
	"map.items":   {answer: (*Server).mapItems},
	"map.size":    {answer: (*Server).mapSize},
	"map.lint":    {answer: (*Server).mapLint},
	"map.deps":    {answer: (*Server).mapDeps},
	"map.picture": {answer: (*Server).mapPicture},
	"map.scene":   {answer: (*Server).mapScene},
	"mesh":        {answer: (*Server).mesh},
	"mesh.list":   {answer: (*Server).meshList},
	// runs
	"replay.info":           {answer: (*Server).replayInfo},
	"replay.check":          {answer: (*Server).replayCheck},
	"replay.inputs":         {answer: (*Server).replayInputs},
	"replay.telemetry":      {answer: (*Server).replayTelemetry},
	"replay.telemetry.file": {answer: (*Server).telemetryFile},
	// Simutrans
	"simutrans.objects": {answer: (*Server).simObjects},
	"simutrans.picture": {answer: (*Server).simPicture},
	// the collection
	"collection": {answer: (*Server).collection},
	"find":       {answer: (*Server).find},
	"sql":        {answer: (*Server).sql},
	// changes
	"set":        {post: true, changes: true, answer: (*Server).set},
	"map.rename": {post: true, changes: true, answer: (*Server).mapRename},
	"map.medals": {post: true, changes: true, answer: (*Server).mapMedals},
}

// usage is an error of whoever asked.
func usage(format string, args ...any) error { return hint.Usagef("%s", fmt.Sprintf(format, args...)) }

// number reads a parameter that is a whole number from least on.
func (c *call) number(name string, otherwise, least int64) (int64, error) {
	text := c.param(name)
	if text == "" {
		return otherwise, nil
	}
	n, err := strconv.ParseInt(text, 0, 64)
	if err != nil || n < least {
		return 0, usage("%s: %q is no number from %d", name, text, least)
	}
	return n, nil
}
