package index

import "pakbox/archive/imagefile"

// pictureHead is the number of bytes in which the size of a picture is found. In a JPEG
// it may stand behind a preview picture of up to 64 kB.
const pictureHead = 80 << 10

// picture adds the row of a picture, from its first bytes. It returns false if they are
// not a picture.
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
