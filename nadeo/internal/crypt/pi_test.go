package crypt

import (
	"bytes"
	"flag"
	"math/big"
	"os"
	"testing"
)

var update = flag.Bool("update", false, "write pi.bin")

// pi.bin is pi, computed here. The series of the Chudnovskys gives 47 bits with
// every term.
func TestPi(t *testing.T) {
	const words, guard = 18 + 4*256, 64
	const bits = words*32 + guard
	_, q, sum := chudnovsky(0, bits/47+1)
	// pi = 426880 √10005 q / sum
	root := new(big.Int).Lsh(big.NewInt(10005), 2*bits)
	pi := root.Sqrt(root).Mul(root, big.NewInt(426880))
	pi.Mul(pi, q).Quo(pi, sum)
	pi.Sub(pi, new(big.Int).Lsh(big.NewInt(3), bits)).Rsh(pi, guard)
	want := pi.FillBytes(make([]byte, words*4))
	if *update {
		if err := os.WriteFile("pi.bin", want, 0o644); err != nil {
			t.Fatal(err)
		}
	} else if !bytes.Equal(piFraction, want) {
		t.Error("pi.bin is not the fraction of pi; -update writes it")
	}
}

// chudnovsky sums up the terms from a to b: t/q is their sum, p the product of
// their numerators, which the terms behind them are multiplied by.
func chudnovsky(a, b int64) (p, q, t *big.Int) {
	if b-a > 1 {
		m := (a + b) / 2
		p1, q1, t1 := chudnovsky(a, m)
		p2, q2, t2 := chudnovsky(m, b)
		t1.Mul(t1, q2)
		t2.Mul(t2, p1)
		return p1.Mul(p1, p2), q1.Mul(q1, q2), t1.Add(t1, t2)
	}
	p, q = big.NewInt(1), big.NewInt(1)
	if a > 0 {
		p = big.NewInt((6*a - 5) * (2*a - 1) * (6*a - 1))
		q = big.NewInt(a * a * a)
		q.Mul(q, big.NewInt(640320*640320/24)).Mul(q, big.NewInt(640320))
	}
	t = new(big.Int).Mul(p, big.NewInt(13591409+545140134*a))
	if a%2 == 1 {
		t.Neg(t)
	}
	return p, q, t
}
