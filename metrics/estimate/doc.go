// Package estimate answers one question about one file of data by one method,
// which is called by its name: "steelyard estimate" is a thin command over it.
//
// [Read] turns a CSV file into [Data] under the bounds and with the errors of
// package ingest. [Run] gives the data to a method of package did and returns
// an [Answer], whose JSON form [Schema] describes. A method is one small file
// here: what it takes, what it needs of the data, and how its result becomes
// rows of terms; the numbers are package did's. [All] runs every method that
// the design admits and lists those it refuses, each with its reason.
package estimate
