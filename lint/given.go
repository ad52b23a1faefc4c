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

// abstainedKey is where the rules stand that had nothing to go by.
type abstainedKey struct{}

// Abstain says that the rule had nothing to go by in this run, so that no
// suppression of it is called unused.
func (p *Pass) Abstain() {
	rules, _ := p.tree.cache[abstainedKey{}].(map[string]bool)
	if rules == nil {
		rules = map[string]bool{}
		p.tree.cache[abstainedKey{}] = rules
	}
	rules[p.rule.ID] = true
}

func abstained(t *tree, rule string) bool {
	rules, _ := t.cache[abstainedKey{}].(map[string]bool)
	return rules[rule]
}
