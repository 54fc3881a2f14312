package frontendtest

import (
	"path"
	"strings"

	"pakbox/cmd/internal/question"
)

// example is a file and parameters to which a question has an answer, and the command that
// asks the same. In the command, F is the file and O the output; a word after O is its
// name. Without a command, it is the question's name, with --json and the file.
type example struct {
	file    string
	params  map[string]any
	command string
	random  bool // the change draws lots
}

// Files of the examples.
const (
	sampleMap    = "samples/trackmania/Sample.Map.Gbx"
	sampleReplay = "samples/trackmania/Sample.Replay.Gbx"
	sampleGhost  = "samples/trackmania/Sample.Ghost.Gbx"
	sampleItem   = "samples/trackmania/Sample.Item.Gbx"
	sampleMesh   = "samples/trackmania/Sample.Mesh.Gbx"
	samplePack   = "samples/hello.vpk"
	sampleTram   = "samples/simutrans/vehicle.Sample_Tram.pak"
	samplePakset = "samples/simutrans"
	richMap      = "made/Rich.Map.Gbx"
	clip         = "made/Run.Clip.Gbx"
	folderOfMaps = "made/cup"
)

type params = map[string]any

// examples has each question by its name.
var examples = map[string]example{
	"block":                 {"", params{"word": "RoadTechCurve3"}, "block --json RoadTechCurve3", false},
	"campaign.create":       {folderOfMaps, params{"id": "Cup@me"}, "campaign create O.Campaign.Gbx F --id Cup@me", false},
	"campaign.ls":           {file: "made/Maps.Campaign.Gbx"},
	"class":                 {"", params{"name": "CGameCtnGhost"}, "class --json CGameCtnGhost", false},
	"clip.combine":          {clip, params{"with": []Path{clip}}, "clip combine F " + clip + " -o O.Clip.Gbx", false},
	"clip.ls":               {file: sampleMap},
	"convert":               {samplePack, params{"format": "zip"}, "convert F O.zip", false},
	"create":                {"", params{"from": []Path{"made/cup"}, "format": "zip"}, "create O.zip made/cup", false},
	"diff":                  {sampleMap, params{"other": Path(richMap)}, "diff --json F " + richMap, false},
	"dump":                  {file: sampleMap},
	"formats":               {"", nil, "help formats --json", false},
	"get":                   {sampleMap, params{"value": []string{"mapName"}}, "get --json F mapName", false},
	"grep":                  {sampleMap, params{"text": "Stadium"}, "grep --json Stadium F", false},
	"info":                  {file: sampleMap},
	"item.create":           {"made/Part.glb", params{"icon": Content("samples/simutrans/tram.png"), "name": "Part"}, "item create F --name Part --icon samples/simutrans/tram.png -o O.Item.Gbx", false},
	"item.import":           {"made/Part.Item.xml", params{"files": []Content{"made/Part.MeshParams.xml", "made/Part.gltf"}}, "item import F -o O.Item.Gbx", false},
	"item.lint":             {file: sampleItem},
	"item.materials":        {"", params{"word": "Tech"}, "item materials --json Tech", false},
	"item.set":              {sampleItem, params{"icon": Content("samples/simutrans/tram.png")}, "item set --json F --icon samples/simutrans/tram.png -o O", false},
	"ls":                    {file: samplePack},
	"map.blocks":            {file: sampleMap},
	"map.blocks.set":        {richMap, params{"set": Content("made/blocks.csv"), "keep_uid": true}, "map blocks --json F --set made/blocks.csv --keep-uid -o O", false},
	"map.create":            {"", params{"uid": "abcdefghijklmnopqrstuvwxyz1", "name": "New"}, "map create O.Map.Gbx --uid abcdefghijklmnopqrstuvwxyz1 --name New", false},
	"map.cut":               {richMap, params{"box": "0,0,0:255,255,255", "name": "Part"}, "map cut F 0,0,0:255,255,255 --name Part -o O.Macroblock.Gbx", false},
	"map.deps":              {file: sampleMap},
	"map.edit":              {richMap, params{"recipe": Content("made/track.recipe"), "keep_uid": true}, "map edit --json made/track.recipe F --keep-uid -o O", false},
	"map.items":             {file: richMap},
	"map.items.change":      {richMap, params{"add": []Content{"made/New.Item.Gbx"}, "remove_unused": true}, "map items --json F --add made/New.Item.Gbx --remove-unused -o O", false},
	"map.lightmap":          {file: richMap},
	"map.lightmap.strip":    {richMap, nil, "map lightmap --json F --strip -o O", false},
	"map.lint":              {file: sampleMap},
	"map.medals":            {file: sampleMap},
	"map.medals.set":        {sampleMap, params{"gold": "0:41.000", "bronze": ""}, "map medals --json F --gold 0:41.000 --bronze= -o O", false},
	"map.merge":             {sampleMap, params{"with": []Path{sampleMap}, "keep_uid": true}, "map merge --json F " + sampleMap + " --keep-uid -o O", false},
	"map.list":              {folderOfMaps, nil, "map list F -o O.MatchSettings.txt", false},
	"map.mesh":              {sampleMap, nil, "map mesh F -o O.glb", false},
	"map.meta":              {file: richMap},
	"map.meta.set":          {richMap, params{"set": []string{"Race_Version=8"}}, "map meta --json F --set Race_Version=8 -o O", false},
	"map.mirror":            {richMap, params{"along": "x", "allow_unknown": true, "keep_uid": true}, "map mirror --json F --along x --allow-unknown --keep-uid -o O", false},
	"map.move":              {richMap, params{"by": "1,0,0", "keep_uid": true}, "map move --json F --by 1,0,0 --keep-uid -o O", false},
	"map.password":          {file: richMap},
	"map.password.remove":   {richMap, params{"i_own_this_map": true}, "map password --json F --remove --i-own-this-map -o O", false},
	"map.picture":           {sampleMap, nil, "map picture F -o O.png", false},
	"map.rename":            {sampleMap, params{"name": "{name} again"}, "map rename --json F {name}~again -o O", false},
	"map.replace":           {richMap, params{"old": "RoadTechStart", "with": "RoadTechCheckpoint", "keep_uid": true}, "map replace --json RoadTechStart RoadTechCheckpoint F --keep-uid -o O", false},
	"map.route":             {file: sampleMap},
	"map.scrub":             {file: richMap},
	"map.scrub.clean":       {richMap, nil, "map scrub --json F -o O", false},
	"map.set":               {sampleMap, params{"facts": []string{"mood=Sunset"}}, "map set --json F mood=Sunset -o O", false},
	"map.shrink":            {file: richMap},
	"map.shrink.apply":      {richMap, params{"with": []string{"unused"}}, "map shrink --json F --with unused -o O", false},
	"map.size":              {file: sampleMap},
	"map.thumbnail":         {sampleMap, nil, "map thumbnail F -o O.jpg", false},
	"map.thumbnail.set":     {sampleMap, params{"picture": Content("samples/simutrans/tram.png")}, "map thumbnail --json F --set samples/simutrans/tram.png -o O", false},
	"map.turn":              {richMap, params{"by": 1, "allow_unknown": true, "keep_uid": true}, "map turn --json F --by 1 --allow-unknown --keep-uid -o O", false},
	"map.uid.new":           {sampleMap, nil, "map uid --json F --new -o O", true},
	"map.validation":        {file: sampleMap},
	"map.validation.remove": {sampleMap, nil, "map validation --json F --remove -o O", false},
	"member":                {"", params{"name": "CGameCtnApp.RootMap.MapInfo.Name"}, "class --json CGameCtnApp.RootMap.MapInfo.Name", false},
	"mesh":                  {file: sampleMesh},
	"mesh.file":             {sampleMesh, nil, "mesh F -o O.glb", false},
	"mesh.picture":          {sampleMesh, nil, "mesh F -o O.png", false},
	"mv":                    {samplePack, params{"from": []string{"readme.txt"}, "to": "other.txt"}, "mv --json F readme.txt other.txt", false},
	"put":                   {samplePack, params{"from": []Path{"samples/README.md"}, "as": "added.md"}, "put --json F samples/README.md --as added.md", false},
	"query":                 {sampleMap, params{"q": ".header.version"}, "query F .header.version", false},
	"replay.animate":        {sampleReplay, params{"hz": 2, "size": "200x160"}, "replay animate --hz 2 --size 200x160 F -o O.png", false},
	"replay.board":          {file: sampleReplay},
	"replay.board.picture":  {sampleReplay, nil, "replay board F -o O.png", false},
	"replay.check":          {file: sampleReplay},
	"replay.clip":           {sampleReplay, nil, "replay clip F -o O.Clip.Gbx", false},
	"replay.compare":        {sampleReplay, params{"with": []Path{sampleGhost}}, "replay compare --json F " + sampleGhost, false},
	"replay.create":         {sampleMap, params{"with": []Path{sampleGhost}}, "replay create F " + sampleGhost + " -o O.Replay.Gbx", false},
	"replay.ghosts":         {file: sampleReplay},
	"replay.info":           {file: sampleReplay},
	"replay.inputs":         {file: sampleReplay},
	"replay.picture":        {sampleReplay, nil, "replay picture F -o O.png", false},
	"replay.telemetry":      {file: sampleReplay},
	"replay.telemetry.file": {sampleReplay, nil, "replay telemetry F -o O.csv", false},
	"rm":                    {samplePack, params{"names": []string{"readme.txt"}}, "rm --json F readme.txt", false},
	"set":                   {sampleMap, params{"values": []string{"mapName=New"}}, "set --json F mapName=New -o O", false},
	"simutrans.buildings":   {file: samplePakset},
	"simutrans.check":       {file: samplePakset},
	"simutrans.compile":     {"samples/simutrans/tram.dat", params{"files": []Content{"samples/simutrans/tram.png"}}, "simutrans compile O.pak F", false},
	"simutrans.decompile":   {sampleTram, nil, "simutrans decompile F -C O.files", false},
	"simutrans.factories":   {file: samplePakset},
	"simutrans.goods":       {file: samplePakset},
	"simutrans.picture":     {sampleTram, nil, "simutrans picture F -o O.png", false},
	"simutrans.vehicles":    {file: samplePakset},
	"simutrans.ways":        {file: samplePakset},
	"verify":                {file: samplePack},
}

// arguments returns the command of an example, and the path that it writes.
func (e example) arguments(q *question.Question, file, folder string) (args []string, output string) {
	command := e.command
	if command == "" {
		command = strings.ReplaceAll(q.Name, ".", " ") + " --json F"
	}
	for _, arg := range strings.Fields(command) {
		switch {
		case arg == "F":
			arg = file
		case arg == "O":
			output = path.Join(folder, path.Base(file))
			arg = output
		case strings.HasPrefix(arg, "O."):
			output = path.Join(folder, "output"+strings.TrimPrefix(arg, "O"))
			arg = output
		default:
			arg = strings.ReplaceAll(arg, "~", " ")
		}
		args = append(args, arg)
	}
	return args, output
}
