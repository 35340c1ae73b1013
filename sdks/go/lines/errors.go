package lines

import "errors"

// Sentinel is an error value of an SDK with the name by which a program tells it.
type Sentinel struct {
	Name  string
	Value error
}

// Sentinels tells errors by the first of the values that they are; others are of the conversation.
func Sentinels(known []Sentinel) func(error) Error {
	return func(err error) Error {
		for _, sentinel := range known {
			if errors.Is(err, sentinel.Value) {
				return Error{Kind: Protocol, Type: sentinel.Name, Message: err.Error()}
			}
		}
		return Error{Kind: Transport, Type: "error", Message: err.Error()}
	}
}
