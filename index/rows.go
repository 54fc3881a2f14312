package index

// The rows that files of every format have.

// Rows are what is known of a file and of those in it, by table. The tag of a
// field names its table.
type Rows struct {
	Files         []File          `table:"files" doc:"A row for each file, and for each file in an archive that is of a format pakbox opens."`
	Maps          []Map           `table:"maps" doc:"A row for each map, with the fields of info --json."`
	MapBlocks     []MapBlock      `table:"map_blocks" doc:"How often each block stands on a map."`
	MapItems      []MapItem       `table:"map_items" doc:"How often each item stands on a map."`
	Embedded      []Embedded      `table:"embedded" doc:"The files that a map brings along."`
	Dependencies  []Dependency    `table:"dependencies" doc:"Files outside that a file uses."`
	Replays       []Replay        `table:"replays" doc:"A row for each replay, with the fields of info --json."`
	Ghosts        []Ghost         `table:"ghosts" doc:"A row for each recorded run: in a ghost, in a replay, or the validation of a map."`
	Checkpoints   []Checkpoint    `table:"checkpoints" doc:"When each run passed each checkpoint; the last is the finish."`
	InputsSummary []InputsSummary `table:"inputs_summary" doc:"What the player did in each run that recorded it, in numbers."`
	CheckVerdicts []CheckVerdict  `table:"check_verdicts" doc:"What replay check says; only if asked for (--check)."`
	Items         []Item          `table:"items" doc:"A row for each item, block or other thing of the editors' lists."`
	Meshes        []Mesh          `table:"meshes" doc:"How much geometry a file stores."`
	Packs         []Pack          `table:"packs" doc:"A row for each archive."`
	Entries       []Entry         `table:"entries" doc:"What each archive holds, as ls --json lists it."`
	SimObjects    []SimObject     `table:"sim_objects" doc:"A row for each object of a Simutrans file."`
	SimVehicles   []SimVehicle    `table:"sim_vehicles" doc:"The numbers of Simutrans vehicles."`
	SimFields     []SimField      `table:"sim_fields" doc:"Every field of every Simutrans object, of all kinds."`
	Texts         []SearchText    `table:"texts" doc:"What people search for, without colour codes. In SQLite, search is the full-text index over it."`
	Findings      []Finding       `table:"findings" doc:"What map lint and verify say; only if asked for (--lint, --verify)."`
}

// Status is how reading a file came out.
const (
	StatusOK          = "ok"
	StatusPartial     = "partial"     // something in it could not be read; the error is the first
	StatusUnknown     = "unknown"     // of no format that pakbox opens
	StatusDamaged     = "damaged"     // of a known format, and wrong
	StatusUnsupported = "unsupported" // of a known format, and not understood
	StatusLocked      = "locked"      // a key or passphrase is missing
	StatusUnreadable  = "unreadable"  // the system does not let it be read
	StatusChanged     = "changed"     // it changed while it was read
)

// File is a row of the table files.
type File struct {
	File          int64   `parquet:"file" ref:"" doc:"key of the file, made of its path"`
	Path          string  `parquet:"path" doc:"as given, with slashes; through archives if it lies in one"`
	Parent        *int64  `parquet:"parent" ref:"" doc:"key of the archive, replay or map that it lies in"`
	Name          string  `parquet:"name" doc:"last part of the path"`
	Size          int64   `parquet:"size" doc:"in bytes"`
	MtimeNS       *int64  `parquet:"mtime_ns" doc:"when it was changed, in nanoseconds since 1970"`
	BLAKE3        *Hash   `parquet:"blake3" doc:"of the content"`
	BodyBLAKE3    *Hash   `parquet:"body_blake3" doc:"of a GBX file's body, uncompressed"`
	Format        *string `parquet:"format" doc:"as pakbox formats lists them"`
	Class         *string `parquet:"class" doc:"of a GBX file, eight digits"`
	ClassName     *string `parquet:"class_name" doc:"of a GBX file"`
	Game          *string `parquet:"game" doc:"that made it, if it tells"`
	Status        string  `parquet:"status" doc:"ok, partial (something in it could not be read), unknown (no format that pakbox opens), damaged, unsupported, locked (needs a key), unreadable, changed (while it was read)"`
	ErrorKind     *string `parquet:"error_kind" doc:"as in the error of --json"`
	ErrorMessage  *string `parquet:"error_message" doc:"one sentence"`
	ErrorEntry    *string `parquet:"error_entry" doc:"the entry that it is about"`
	ErrorOffset   *int64  `parquet:"error_offset" doc:"where in the file"`
	SchemaVersion int64   `parquet:"schema_version" doc:"of the rows"`
}

// Pack is a row of the table packs.
type Pack struct {
	File        int64   `parquet:"file" ref:"" doc:"key of the file"`
	Format      string  `parquet:"format" doc:"of the archive"`
	Entries     int64   `parquet:"entries" doc:"how many it holds"`
	Size        *int64  `parquet:"size" doc:"of all content; null where only unpacking would tell"`
	StoredSize  int64   `parquet:"stored_size" doc:"of all that is stored for it"`
	Version     *int64  `parquet:"version" doc:"of the format"`
	TitleID     *string `parquet:"title_id" doc:"as the pack says"`
	Author      *string `parquet:"author" doc:"as the pack says"`
	AuthorLogin *string `parquet:"author_login" doc:"as the pack says"`
	AuthorNick  *string `parquet:"author_nick" doc:"as the pack says"`
	Comment     *string `parquet:"comment" doc:"as the pack says"`
	Created     *string `parquet:"created" doc:"date and time, as the pack says"`
}

// Entry is a row of the table entries.
type Entry struct {
	File       int64  `parquet:"file" ref:"" doc:"key of the archive"`
	Entry      int64  `parquet:"entry" doc:"place in the archive, from 0"`
	Name       string `parquet:"name" doc:"in the archive"`
	Size       *int64 `parquet:"size" doc:"of the content; null where only unpacking would tell"`
	StoredSize int64  `parquet:"stored_size" doc:"of what is stored for it"`
	Compressed bool   `parquet:"compressed" doc:""`
	Encrypted  bool   `parquet:"encrypted" doc:""`
	Method     string `parquet:"method" doc:"how it is stored, in the format's words"`
	Hash       string `parquet:"hash" doc:"as the archive stores it, such as crc32:…; empty where it stores none"`
	Modified   *int64 `parquet:"modified" doc:"in milliseconds since 1970"`
}

// Finding is a row of the table findings.
type Finding struct {
	File     int64   `parquet:"file" ref:"" doc:"key of the file"`
	Source   string  `parquet:"source" doc:"lint or verify"`
	Severity string  `parquet:"severity" doc:"error, warning or note"`
	Kind     string  `parquet:"kind" doc:"the rule or the kind of damage"`
	Message  string  `parquet:"message" doc:"one sentence"`
	Entry    *string `parquet:"entry" doc:"the entry that it is about"`
	Offset   *int64  `parquet:"offset" doc:"where in the file"`
}

// SearchText is a row of the table texts.
type SearchText struct {
	File     int64   `parquet:"file" ref:"" doc:"key of the file"`
	Name     string  `parquet:"name" doc:"name of the file, and what it calls itself"`
	Author   *string `parquet:"author" doc:"logins and names of who made or drove it"`
	Comments *string `parquet:"comments" doc:"what they wrote about it"`
}
