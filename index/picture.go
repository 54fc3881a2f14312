package index

import "pakbox/internal/imagefile"

// pictureHead is how much of a picture tells its size. The size of a JPEG stands
// behind a preview picture, which has 64 kB at most.
const pictureHead = 80 << 10

// picture adds the row of a picture, by its first bytes. It reports whether they are
// those of a picture.
func (w *walker) picture(f *file, entry any, name string, head func(n int) []byte) bool {
	if !imagefile.Is(name, head(matchPrefix)) {
		return false
	}
	p, err := imagefile.DescribeHead(name, head(pictureHead))
	if err != nil {
		return false
	}
	row := picturesTable.rowOf(f)
	picturesTable.set(row, "entry", entry)
	picturesTable.fill(row, imagefile.Facts.Columns(p))
	w.rows.AddRow(picturesTable, row)
	return true
}
