// Package ingest turns what a file says into the domain's values.
//
// A panel ([ImportPanel]) and a table of pull requests ([ImportPullRequests])
// are read from CSV, plain or gzip. Rows are streamed into the store while
// they are read, so memory does not grow with the file, and one bad line
// undoes the whole import: it is answered with a [LineError] that names the
// file, the line, the column, the value, what is wrong and the cure.
//
// Files are hostile until read: lines, fields, columns, rows and the size of
// what a compressed file unpacks to are bounded by [Limits].
//
// A [Table] reads any other CSV file row by row in the same way.
//
// A [Manifest] describes several imports in one YAML file.
package ingest
