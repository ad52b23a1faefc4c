package lint

// Strict reports whether the run asks for what is no mistake by itself, see
// [Config.Strict].
func (p *Pass) Strict() bool { return p.tree.strict }
