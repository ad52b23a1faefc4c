package output

import (
	"fmt"
	"io"
	"strings"
)

// AnnotateFailure writes the annotation of a run that failed itself, for a
// GitHub runner: what failed, and what to do about it.
func AnnotateFailure(w io.Writer, message string, hints []string) error {
	text := strings.Join(append([]string{plain(message)}, prefixed("hint: ", hints)...), "\n")
	_, err := fmt.Fprintf(w, "::error title=steelyard::%s\n", data(short(text, maxAnnotation)))
	return err
}

// FailureSummary is the part of a job's summary about a run that failed itself.
func FailureSummary(message string, hints []string) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "## Steelyard: the run failed\n\n%s\n\n", prose(bounded(message, maxMessage)))
	for _, hint := range hints {
		fmt.Fprintf(&b, "- %s\n", prose(bounded(hint, maxMessage)))
	}
	b.WriteString("\n")
	return []byte(b.String())
}

func prefixed(with string, lines []string) []string {
	all := make([]string, len(lines))
	for i, line := range lines {
		all[i] = with + plain(line)
	}
	return all
}
