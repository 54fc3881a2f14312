package cli

// print writes one object as one line.
func (a *app) print(o *object) error {
	a.meter.hide()
	return o.write(a.out.Writer)
}

// errorObject is an error as JSON has it.
func (a *app) errorObject(err error) *errorJSON {
	j := errorOf(err)
	j.Message = a.unspool(j.Message)
	return j
}
