package index

// The rows of Simutrans objects.

// SimObject is a row of the table sim_objects.
type SimObject struct {
	File              int64  `parquet:"file" ref:"" doc:"key of the file"`
	Object            int64  `parquet:"object" doc:"place in the file, from 0"`
	Type              string `parquet:"type" doc:"vehicle, building, way, …"`
	Name              string `parquet:"name" doc:""`
	Copyright         string `parquet:"copyright" doc:""`
	Bytes             int64  `parquet:"bytes" doc:"of its nodes"`
	Images            int64  `parquet:"images" doc:"that have pixels"`
	DescriptorVersion *int64 `parquet:"descriptor_version" doc:"null where the descriptor cannot be read"`
	ExtendedVersion   *int64 `parquet:"extended_version" doc:"of Simutrans-Extended"`
}

// SimVehicle is a row of the table sim_vehicles.
type SimVehicle struct {
	File        int64    `parquet:"file" ref:"" doc:"key of the file"`
	Object      int64    `parquet:"object" doc:"as in sim_objects"`
	Name        string   `parquet:"name" doc:""`
	Waytype     *string  `parquet:"waytype" doc:"track, road, …"`
	EngineType  *string  `parquet:"engine_type" doc:"steam, diesel, …"`
	Price       *float64 `parquet:"price" doc:"in credits"`
	RunningCost *float64 `parquet:"running_cost" doc:"in credits for each kilometre"`
	FixedCost   *float64 `parquet:"fixed_cost" doc:"in credits a month"`
	TopSpeed    *int64   `parquet:"topspeed" doc:"in km/h"`
	Power       *int64   `parquet:"power" doc:"in kW"`
	Gear        *int64   `parquet:"gear" doc:"as stored: 64 is 1.0"`
	Capacity    *int64   `parquet:"capacity" doc:"of freight"`
	Freight     *string  `parquet:"freight" doc:"name of the good it carries"`
	Weight      *int64   `parquet:"weight" doc:"in kilograms"`
	AxleLoad    *int64   `parquet:"axle_load" doc:"in tons"`
	Length      *int64   `parquet:"length" doc:"in eighths of a tile"`
	Intro       *string  `parquet:"intro" doc:"year and month"`
	Retire      *string  `parquet:"retire" doc:"year and month"`
}

// SimField is a row of the table sim_fields.
type SimField struct {
	File   int64    `parquet:"file" ref:"" doc:"key of the file"`
	Object int64    `parquet:"object" doc:"as in sim_objects"`
	Field  string   `parquet:"field" doc:"as info --json names it"`
	Value  *float64 `parquet:"value" doc:"if it is a number"`
	Text   string   `parquet:"text" doc:"in words, with the unit"`
}
