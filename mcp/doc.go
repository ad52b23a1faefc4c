// Package mcp is Steelyard's face for assistants: a read-only MCP server over
// stdio and over stateless HTTP. It renders the values that packages metrics
// and lint finished and computes nothing, so that a tool's answer and the
// dashboard's page hold the same numbers and the same sentences.
//
// One file is one tool: its description, its input, its output and its
// answer. [New] lists them. What all tools share stands around them: schemas
// that every client accepts (schema.go), a budget for the length of an answer
// (budget.go), text from repositories made harmless (clean.go), arguments
// that a model got almost right (coerce.go), and the guard that keeps a
// failing tool from ending the process or telling a model what it must not
// know (guard.go).
package mcp
