package lint

// maxForms bounds the forms that a pattern's alternatives spell out: matching
// tries each of them on every path.
const maxForms = 1000

// Spelled reports whether a pattern's alternatives spell out no more forms than
// are tried. Nested ones are counted as if they stood side by side, which is at
// least as many. A pattern of more forms is to be taken for no pattern.
func Spelled(pattern string) bool {
	forms, depth, commas := 1, 0, 0
	for i := 0; i < len(pattern); i++ {
		switch pattern[i] {
		case '\\':
			i++
		case '{':
			forms, commas, depth = forms*(commas+1), 0, depth+1
		case '}':
			forms, commas, depth = forms*(commas+1), 0, max(depth-1, 0)
		case ',':
			if depth > 0 {
				commas++
			}
		}
		if forms > maxForms || commas >= maxForms {
			return false
		}
	}
	return forms*(commas+1) <= maxForms
}
