package lint

// givenKey is where a run keeps [Config.Given].
type givenKey struct{}

// Given returns the value of type T that the run was given, see
// [Config.Given], and whether there is one.
func Given[T any](p *Pass) (T, bool) {
	list, _ := p.tree.cache[givenKey{}].([]any)
	for _, v := range list {
		if t, ok := v.(T); ok {
			return t, true
		}
	}
	var none T
	return none, false
}
