package mesh

import "pakbox/gbx"

// maxEars limits the corners of a face that is cut by ears, which takes cubic time.
const maxEars = 64

// Triangulate cuts a face into triangles and appends their corners to out. A concave face
// is cut by ears, a convex one as a fan.
func Triangulate(out []int, points []gbx.Vec3) []int {
	n := len(points)
	var few [maxEars]int
	left := few[:0]
	for i := range n {
		left = append(left, i)
	}
	var normal gbx.Vec3
	if n > 3 {
		normal = faceNormal(points)
	}
	for len(left) > 3 && n <= maxEars {
		ear := findEar(points, left, normal)
		if ear < 0 {
			break // the face crosses itself
		}
		k := len(left)
		out = append(out, left[(ear+k-1)%k], left[ear], left[(ear+1)%k])
		left = append(left[:ear], left[ear+1:]...)
	}
	for i := 1; i+1 < len(left); i++ {
		out = append(out, left[0], left[i], left[i+1])
	}
	return out
}

// faceNormal is the normal of a face, by Newell's sum over its edges.
func faceNormal(points []gbx.Vec3) gbx.Vec3 {
	var sum gbx.Vec3
	for i := range points {
		sum = add(sum, cross(sub(points[i], points[0]), sub(points[(i+1)%len(points)], points[0])))
	}
	return sum
}

// findEar returns a corner that can be cut off, or -1. For a convex face this is the
// second corner, as in a fan.
func findEar(points []gbx.Vec3, left []int, normal gbx.Vec3) int {
	k := len(left)
	for i := 1; i <= k; i++ {
		a, b, c := points[left[(i+k-1)%k]], points[left[i%k]], points[left[(i+1)%k]]
		if dot(cross(sub(b, a), sub(c, b)), normal) <= 0 {
			continue // a concave or straight corner
		}
		if !holdsAny(points, left, i%k, a, b, c, normal) {
			return i % k
		}
	}
	return -1
}

// holdsAny reports whether another corner of the face lies in the triangle.
func holdsAny(points []gbx.Vec3, left []int, ear int, a, b, c, normal gbx.Vec3) bool {
	k := len(left)
	for j := range left {
		if j == ear || j == (ear+1)%k || j == (ear+k-1)%k {
			continue
		}
		p := points[left[j]]
		if p == a || p == b || p == c {
			continue
		}
		if dot(cross(sub(b, a), sub(p, a)), normal) >= 0 &&
			dot(cross(sub(c, b), sub(p, b)), normal) >= 0 &&
			dot(cross(sub(a, c), sub(p, c)), normal) >= 0 {
			return true
		}
	}
	return false
}
