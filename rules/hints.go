package rules

import (
	"regexp/syntax"
	"strings"
)

// RequiredTexts returns texts of which a match of the expression must hold at
// least one, nil where that cannot be told. A search for them is far cheaper
// than the expression.
func RequiredTexts(form string) []string {
	re, err := syntax.Parse(form, syntax.Perl)
	if err != nil {
		return nil
	}
	return required(re)
}

func required(re *syntax.Regexp) []string {
	switch re.Op {
	case syntax.OpLiteral:
		if re.Flags&syntax.FoldCase == 0 {
			return []string{string(re.Rune)}
		}
	case syntax.OpCapture, syntax.OpPlus:
		return required(re.Sub[0])
	case syntax.OpRepeat:
		if re.Min > 0 {
			return required(re.Sub[0])
		}
	case syntax.OpAlternate:
		var all []string
		for _, sub := range re.Sub {
			of := required(sub)
			if of == nil {
				return nil
			}
			all = append(all, of...)
		}
		return all
	case syntax.OpConcat:
		var best []string
		for _, sub := range re.Sub {
			if of := required(sub); of != nil && shortest(of) >= shortest(best) {
				best = of
			}
		}
		return best
	default:
	}
	return nil
}

// shortest is the length of the shortest text without the space around it, 0
// for none.
func shortest(texts []string) int {
	least := 0
	for i, t := range texts {
		if n := len(strings.TrimSpace(t)); i == 0 || n < least {
			least = n
		}
	}
	return least
}
