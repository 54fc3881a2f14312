package web

func (s *Server) mapScene(c *call) (any, error) { return nil, usage("not yet") }
