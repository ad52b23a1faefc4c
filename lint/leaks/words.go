package leaks

// words finds which of many words stand in a text, in one pass over it however
// many there are: the automaton of Aho and Corasick (1975), as a table.
type words struct {
	class [256]uint16 // of a byte; 0 for those that no word has
	width int         // classes
	next  []uint16    // by state and class
	ends  [][]int     // by state: the owners of the words that end there
}

// newWords makes the automaton for words; owners[i] is whose words[i] is. An
// empty word stands in every text and must not be among them.
func newWords(list []string, owners []int) *words {
	w := &words{width: 1}
	for _, word := range list {
		for _, b := range []byte(word) {
			if w.class[b] == 0 {
				w.class[b] = uint16(w.width)
				w.width++
			}
		}
	}
	w.grow()
	for i, word := range list {
		state := 0
		for _, b := range []byte(word) {
			at := state*w.width + int(w.class[b])
			if w.next[at] == 0 {
				w.next[at] = uint16(len(w.ends))
				w.grow()
			}
			state = int(w.next[at])
		}
		w.ends[state] = append(w.ends[state], owners[i])
	}
	w.link()
	return w
}

// grow adds a state.
func (w *words) grow() {
	w.next = append(w.next, make([]uint16, w.width)...)
	w.ends = append(w.ends, nil)
}

// link turns the tree of words into an automaton: where a word breaks off, it
// goes on in the longest word that what was read may also be the beginning of.
func (w *words) link() {
	instead := make([]int, len(w.ends))
	var queue []int
	for c := range w.width {
		if s := int(w.next[c]); s != 0 {
			queue = append(queue, s)
		}
	}
	for len(queue) > 0 {
		state := queue[0]
		queue = queue[1:]
		w.ends[state] = append(w.ends[state], w.ends[instead[state]]...)
		for c := range w.width {
			at, other := state*w.width+c, w.next[instead[state]*w.width+c]
			if s := int(w.next[at]); s != 0 {
				instead[s] = int(other)
				queue = append(queue, s)
			} else {
				w.next[at] = other
			}
		}
	}
}

// in calls found for the owner of each word that stands in text, as often as one
// does.
func (w *words) in(text string, found func(owner int)) {
	state := 0
	for i := range len(text) {
		state = int(w.next[state*w.width+int(w.class[text[i]])])
		for _, owner := range w.ends[state] {
			found(owner)
		}
	}
}
