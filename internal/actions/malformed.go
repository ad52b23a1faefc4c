package actions

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
)

// inWords says what is wrong with the JSON of an event for people who know the
// file and not this program.
func inWords(err error) error {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		return fmt.Errorf("it is no JSON from byte %d on", syntax.Offset)
	case errors.As(err, &kind) && kind.Field == "":
		return fmt.Errorf("it is %s, and an event is an object", found(kind.Value))
	case errors.As(err, &kind):
		return fmt.Errorf("its field %s is %s, where GitHub writes %s", kind.Field, found(kind.Value), wanted(kind.Type))
	}
	return errors.New("it is no JSON of an event")
}

// found names what stands in the file. A number that does not fit stands there
// itself.
func found(value string) string {
	if literal, ok := strings.CutPrefix(value, "number "); ok {
		return "the number " + clip(literal)
	}
	if name, ok := valueNames[value]; ok {
		return name
	}
	return "something else"
}

// valueNames are the words for what encoding/json calls a value.
var valueNames = map[string]string{
	"string": "text", "number": "a number", "bool": "true or false", "array": "a list", "object": "an object",
}

// wanted names what a field holds.
func wanted(t reflect.Type) string {
	switch t.Kind() {
	case reflect.String:
		return "text"
	case reflect.Slice:
		return "a list"
	case reflect.Struct:
		return "an object"
	default:
		return "a whole number"
	}
}
