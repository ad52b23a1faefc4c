package lint

// Suggestion is one edit of a fix in places that an editor or a review tool
// understands: lines and columns from 1, columns in bytes, the end exclusive.
type Suggestion struct {
	Line, Column       int
	EndLine, EndColumn int
	Text               string // what stands there instead
}

// Suggestions are the edits that mend the finding, nil where nothing mends it
// safely, where the file could not be looked through as a whole, or where the
// new text would show a secret.
func (f Finding) Suggestions() []Suggestion {
	if f.Fix == nil || f.Fix.file == nil || len(f.Fix.file.unchecked) > 0 {
		return nil
	}
	file := f.Fix.file
	var all []Suggestion
	for _, e := range f.Fix.Edits {
		if shown, ok := file.starLeaks(file.maskText(e.New)); !ok || shown != e.New {
			return nil
		}
		var s Suggestion
		s.Line, s.Column = file.Position(e.At.Start)
		s.EndLine, s.EndColumn = file.Position(e.At.End)
		s.Text = e.New
		all = append(all, s)
	}
	return all
}
