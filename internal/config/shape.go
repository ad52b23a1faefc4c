package config

import "go.yaml.in/yaml/v3"

// kind says what a place in a file holds.
type kind int

const (
	text   kind = iota // a string
	number             // a floating-point number
	whole              // a whole number
	date               // a day, 2027-01-31
	moment             // a day, or a time as JSON writes it
	truth              // true or false
	list               // a sequence of one shape
	table              // a mapping with fixed keys
	dict               // a mapping with free keys of one form, values of one shape
)

// shape describes what may stand at one place in a file.
type shape struct {
	kind kind
	// keys are the fixed keys of a table, in the order of the manual.
	keys []key
	// instead says what to do, by a key that people try and that there is not.
	instead map[string]string
	// element is the shape of each element of a list or value of a dict.
	element *shape
	// names is the regular expression that the free keys of a dict match,
	// and namesAre says what they are, for messages.
	names, namesAre string
	// choices are the only values of a text, where there are any.
	choices []string
	// pattern is a regular expression that a text must match.
	pattern string
	// above and upTo bound a number: above < x ≤ upTo; both 0 means unbounded.
	above, upTo float64
	// valid says what is wrong with a scalar that has the right kind.
	valid func(string) error
	// secret keeps a wrong value out of messages: it may be one.
	secret bool
	// want names what belongs here, for messages: "a glob such as vendor/**".
	want string
}

// key is one key of a table.
type key struct {
	name string
	// doc is one sentence or two for the manual, the schema and the starter.
	doc      string
	required bool
	// fallback is the default of a scalar setting, env the environment variable
	// that overrides the file.
	fallback, env string
	// example is what a commented list or dict, or a scalar without default,
	// shows in the starter file.
	example string
	// set stores a checked scalar.
	set func(*Config, string)
	// take stores a checked list or dict.
	take func(*Config, *yaml.Node)
	shape
}

// leaf is a scalar setting, list or dict with its dotted path.
type leaf struct {
	path string
	key
}

// leaves lists every setting below s that is not itself a table.
func leaves(s shape, prefix string) []leaf {
	var all []leaf
	for _, k := range s.keys {
		path := join(prefix, k.name)
		if k.kind == table {
			all = append(all, leaves(k.shape, path)...)
			continue
		}
		all = append(all, leaf{path: path, key: k})
	}
	return all
}

func join(prefix, name string) string {
	if prefix == "" {
		return name
	}
	return prefix + "." + name
}
