package tests

// unseen reports a method that has the mark of a test and that no runner takes
// for one, since it is private; or static where JUnit wants none.
func (s *suite) unseen(from, name int, pending []span) (marker, bool) {
	src := s.src
	switch src.lang {
	case java, kotlin, csharp:
	default:
		return marker{}, false
	}
	for _, r := range pending {
		from = max(from, r.to)
	}
	for i := from; i < name; i++ {
		switch {
		case src.is(i, "private"), src.is(i, "static") && src.lang == java && s.jupiter():
			return marker{kind: skips, at: i, words: src.at(i)}, true
		}
	}
	return marker{}, false
}

// jupiter reports whether a file uses the tests of JUnit from version 5 on.
func (s *suite) jupiter() bool {
	if s.words == nil {
		s.words = s.src.count()
	}
	return s.words["jupiter"] > 0
}
