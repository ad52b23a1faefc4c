package registry

import (
	"encoding/json"
	"errors"
	"io"
)

// errNotObject is the error of a document that is not what was asked for.
var errNotObject = errors.New("not a JSON object")

// members walks over the members of the object that comes next and calls take
// with each name; take reads the value. It never holds more than one value.
func members(dec *json.Decoder, take func(name string) error) error {
	token, err := dec.Token()
	if err != nil {
		return ended(err)
	}
	if token != json.Delim('{') {
		return errNotObject
	}
	for dec.More() {
		name, err := dec.Token()
		if err != nil {
			return ended(err)
		}
		key, ok := name.(string)
		if !ok {
			return errNotObject
		}
		if err := take(key); err != nil {
			return ended(err)
		}
	}
	_, err = dec.Token()
	return ended(err)
}

// ended tells a document that stops in its middle from one that is broken.
func ended(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

// skip reads over the next value without keeping it.
func skip(dec *json.Decoder) error {
	depth := 0
	for {
		token, err := dec.Token()
		if err != nil {
			return ended(err)
		}
		switch token {
		case json.Delim('{'), json.Delim('['):
			depth++
		case json.Delim('}'), json.Delim(']'):
			depth--
		}
		if depth == 0 {
			return nil
		}
	}
}

// decode reads a body as one JSON value and says what is wrong with it.
func decode(a *answer, into any) string {
	defer a.close()
	if err := json.NewDecoder(a.body).Decode(into); err != nil {
		var syntax *json.SyntaxError
		if errors.As(err, &syntax) {
			return "its answer is not JSON"
		}
		return broken(err)
	}
	return ""
}
