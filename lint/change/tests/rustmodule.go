package tests

// testModules are the modules of a Rust file that are built for tests alone:
// what they declare is no product code.
func (s *suite) testModules() []span {
	if s.src.lang != rust {
		return nil
	}
	var found []span
	src := s.src
	for i := 0; i+8 < len(src.tokens); i++ {
		if !src.is(i, "#") || !src.is(i+1, "[") || !src.is(i+2, "cfg") || !src.is(i+4, "test") || !src.is(i+5, ")") {
			continue
		}
		at := src.close(i+1) + 1
		for src.is(at, "#") && src.close(at+1) > 0 { // further attributes
			at = src.close(at+1) + 1
		}
		if src.is(at, "pub") {
			at++
		}
		if src.is(at, "mod") && src.is(at+2, "{") && src.close(at+2) > 0 {
			found = append(found, span{i, src.close(at+2) + 1})
			i = src.close(at + 2)
		}
	}
	return found
}

// inAny reports whether a place lies in one of some ranges.
func inAny(ranges []span, i int) bool {
	for _, r := range ranges {
		if r.has(i) {
			return true
		}
	}
	return false
}
