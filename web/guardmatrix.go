package web

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"steelyard/lint"
	"steelyard/metrics"
	"steelyard/rules"
	"steelyard/web/chart"
)

// matrixPerPage is how many repositories one matrix holds.
const matrixPerPage = 15

// marksPerCell bounds what is drawn of one assistant's files.
const marksPerCell = 10

// matrixCell is what one assistant reads in one repository.
type matrixCell struct{ files []lint.StoredFile }

// matrixRow is one repository.
type matrixRow struct {
	name    string
	cells   []matrixCell // by column
	servers []lint.StoredServer
	files   int
	unowned int
	owners  []string
	since   time.Time // the newest change that scans saw; zero: not known
}

// matrix is which assistant reads which file in some repositories.
type matrix struct {
	columns []string
	rows    []matrixRow
}

// matrixOf reads a matrix of the repositories of these scans.
func (d *dashboard) matrixOf(ctx context.Context, scans []lint.ScanSummary) (matrix, error) {
	names := make([]string, len(scans))
	for i, s := range scans {
		names[i] = s.Repository
	}
	files, err := d.Overview.Files(ctx, names)
	if err != nil {
		return matrix{}, fmt.Errorf("read governed files: %w", err)
	}
	servers, err := d.Overview.ServersOf(ctx, names)
	if err != nil {
		return matrix{}, fmt.Errorf("read servers: %w", err)
	}
	surfaces, err := rules.Surfaces()
	if err != nil {
		return matrix{}, fmt.Errorf("read surfaces: %w", err)
	}
	return buildMatrix(names, files, servers, surfaces), nil
}

func buildMatrix(names []string, files []lint.StoredFile, servers []lint.StoredServer, surfaces []rules.Surface) matrix {
	m := matrix{}
	assistant := map[string]string{}
	used := map[string]bool{}
	for _, s := range surfaces {
		assistant[s.ID] = s.Assistant
	}
	of := map[string]map[string][]lint.StoredFile{} // by repository and assistant
	rows := map[string]*matrixRow{}
	for _, name := range names {
		m.rows = append(m.rows, matrixRow{name: name})
		of[name] = map[string][]lint.StoredFile{}
	}
	for i := range m.rows {
		rows[m.rows[i].name] = &m.rows[i]
	}
	for _, f := range files {
		row := rows[f.Repository]
		if row == nil || !slices.Contains(f.Kinds, string(rules.Instructions)) {
			continue
		}
		row.add(f)
		for _, reader := range f.Readers {
			name := assistant[reader]
			list := of[f.Repository][name]
			if name == "" || len(list) > 0 && list[len(list)-1].Path == f.Path {
				continue
			}
			used[name] = true
			of[f.Repository][name] = append(list, f)
		}
	}
	for _, s := range servers {
		if row := rows[s.Repository]; row != nil {
			row.servers = append(row.servers, s)
		}
	}
	for _, s := range surfaces {
		if used[s.Assistant] && !slices.Contains(m.columns, s.Assistant) {
			m.columns = append(m.columns, s.Assistant)
		}
	}
	m.columns = mostRead(m.columns, of)
	for i := range m.rows {
		for _, c := range m.columns {
			m.rows[i].cells = append(m.rows[i].cells, matrixCell{of[m.rows[i].name][c]})
		}
	}
	return m
}

// maxAssistants bounds the columns of a matrix; others is the last of them.
const (
	maxAssistants = 7
	others        = "Others"
)

// mostRead are the assistants that read most files, in their order; what the
// others read is put together.
func mostRead(columns []string, of map[string]map[string][]lint.StoredFile) []string {
	if len(columns) <= maxAssistants+1 {
		return columns
	}
	files := map[string]int{}
	for _, byName := range of {
		for name, list := range byName {
			files[name] += len(list)
		}
	}
	ranked := slices.Clone(columns)
	slices.SortStableFunc(ranked, func(a, b string) int { return files[b] - files[a] })
	rest := ranked[maxAssistants:]
	for _, byName := range of {
		for _, name := range rest {
			for _, f := range byName[name] {
				if !slices.ContainsFunc(byName[others], func(o lint.StoredFile) bool { return o.Path == f.Path }) {
					byName[others] = append(byName[others], f)
				}
			}
		}
	}
	kept := slices.DeleteFunc(slices.Clone(columns), func(c string) bool { return slices.Contains(rest, c) })
	return append(kept, others)
}

func (r *matrixRow) add(f lint.StoredFile) {
	r.files++
	if len(f.Owners) == 0 {
		r.unowned++
	}
	if f.Since.After(r.since) {
		r.since = f.Since
	}
	for _, o := range f.Owners {
		if w := ownerWord(o); !slices.Contains(r.owners, w) {
			r.owners = append(r.owners, w)
		}
	}
}

// ownerWord names a team; single people are not named.
func ownerWord(owner string) string {
	if strings.HasPrefix(owner, "@") && strings.Contains(owner, "/") {
		return owner
	}
	return "a single account"
}

func (r matrixRow) needs() bool {
	return r.unowned > 0 || slices.ContainsFunc(r.servers, func(s lint.StoredServer) bool { return !s.Pinned })
}

// draw draws the matrix; days are counted to now.
func (m matrix) draw(h chart.Head, l chart.Layout, now time.Time) string {
	data := chart.MatrixData{Columns: append(slices.Clone(m.columns), "MCP servers"), Text: "unchanged for"}
	for _, r := range m.rows {
		row := chart.MatrixRow{Name: r.name, Text: r.sameFor(now)}
		for _, c := range r.cells {
			row.Cells = append(row.Cells, c.marks())
		}
		var servers []chart.MatrixMark
		for i, s := range r.servers {
			if i == marksPerCell {
				servers = append(servers, chart.MatrixMark{Letter: "+", Title: some(len(r.servers)-i, "more server")})
				break
			}
			word := "pinned"
			if !s.Pinned {
				word = "not pinned"
			}
			servers = append(servers, chart.MatrixMark{Need: !s.Pinned, Title: visible(s.Name) + ", " + word})
		}
		row.Cells = append(row.Cells, servers)
		data.Rows = append(data.Rows, row)
	}
	return chart.Matrix(h, l, data)
}

func (c matrixCell) marks() []chart.MatrixMark {
	var all []chart.MatrixMark
	for i, f := range c.files {
		if i == marksPerCell {
			return append(all, chart.MatrixMark{Letter: "+", Title: some(len(c.files)-i, "more file")})
		}
		word := "nobody owns it"
		if len(f.Owners) > 0 {
			word = "owned"
		}
		all = append(all, chart.MatrixMark{Letter: letter(f.Path), Need: len(f.Owners) == 0, Title: visible(f.Path) + ", " + word})
	}
	return all
}

// sameFor says for how long the files are as they are.
func (r matrixRow) sameFor(now time.Time) string {
	if r.since.IsZero() || now.IsZero() {
		return "–"
	}
	return fmt.Sprintf("%d\u202fd", max(0, int(now.Sub(r.since)/(24*time.Hour))))
}

// table is the matrix in words: one row a repository and assistant.
func (m matrix) table(now time.Time) metrics.Table {
	t := metrics.Table{
		ID: "matrix", Title: "What each assistant reads", Caption: "One row for each repository and assistant that reads an instruction file there.",
		Columns: []metrics.Column{
			{Name: "repository", Title: "Repository"},
			{Name: "assistant", Title: "Assistant"},
			{Name: "files", Title: "Files"},
			{Name: "unowned", Title: "Without an owner", Numeric: true},
			{Name: "owners", Title: "Owners"},
			{Name: "same_for", Title: "As they are for"},
			{Name: "servers", Title: "MCP servers", Numeric: true},
			{Name: "unpinned", Title: "Not pinned", Numeric: true},
		},
	}
	for _, r := range m.rows {
		unpinned := 0
		for _, s := range r.servers {
			if !s.Pinned {
				unpinned++
			}
		}
		row := func(assistant string, files []lint.StoredFile) {
			var paths []string
			unowned := 0
			for _, f := range files {
				paths = append(paths, f.Path)
				if len(f.Owners) == 0 {
					unowned++
				}
			}
			t.Rows = append(t.Rows, []metrics.Cell{
				wordCell(r.name), wordCell(assistant), wordCell(strings.Join(paths, " ")), countCell(unowned), wordCell(strings.Join(r.owners, " ")),
				wordCell(r.sameFor(now)), countCell(len(r.servers)), countCell(unpinned),
			})
		}
		read := false
		for i, c := range r.cells {
			if len(c.files) > 0 {
				row(m.columns[i], c.files)
				read = true
			}
		}
		if !read {
			row("–", nil)
		}
	}
	return t
}

func wordCell(s string) metrics.Cell {
	if s == "" {
		return metrics.Cell{Text: "–"}
	}
	return metrics.Cell{Value: s, Text: s}
}

func countCell(n int) metrics.Cell { return metrics.Cell{Value: n, Text: metrics.FormatCount(n)} }

// matrixFigure is the figure of one page of repositories.
func (d *dashboard) matrixFigure(ctx context.Context, scans []lint.ScanSummary, page int) (figure, error) {
	m, err := d.matrixOf(ctx, scans)
	if err != nil {
		return figure{}, err
	}
	need := 0
	for _, r := range m.rows {
		if r.needs() {
			need++
		}
	}
	f := figure{
		Kind: "matrix", ID: "matrix", Kicker: "What each assistant reads", Table: m.table(d.today()), Base: fmt.Sprintf("/guardrails/matrix/%d", page),
		Caption: []string{"A square is an instruction file that the assistant reads, a circle an MCP server entry. Solid needs a person: nobody owns the file, or the server’s version moves. At the right, for how many days the files are as they are, as far as scans tell; a review that changed nothing leaves no trace."},
		Finding: capital(count(need)) + " of " + some(len(m.rows), "repository") + " here let somebody change unseen what an assistant is told or runs",
	}
	if letters := m.legend(); letters != "" {
		f.Caption = append(f.Caption, letters)
	}
	switch {
	case need == 0:
		f.Finding = "Nobody changes unseen what an assistant is told or runs in " + some(len(m.rows), "repository")
	case len(m.rows) == 1:
		f.Finding = m.rows[0].name + " lets somebody change unseen what an assistant is told or runs"
	case need == len(m.rows):
		f.Finding = pick(need-1, "Both", "All "+count(need)) + " repositories here let somebody change unseen what an assistant is told or runs"
	case need == 1:
		f.Finding = "One of " + some(len(m.rows), "repository") + " here lets somebody change unseen what an assistant is told or runs"
	}
	h := chart.Head{ID: "matrix", Title: f.Finding, Desc: "Repositories by assistant, with a mark for each file read. The table under the figure has the same."}
	f.Wide = m.draw(h, chart.Wide, d.today())
	h.ID = "matrix-narrow"
	f.Narrow = m.draw(h, chart.Narrow, d.today())
	return f, nil
}

// today is the clock, or the zero time where none was given.
func (d *dashboard) today() time.Time {
	if d.Now == nil {
		return time.Time{}
	}
	return d.Now().UTC()
}
