// Package lines is the client's half of the driver protocol (docs/drivers.md): a request a line in, answers out.
package lines

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"os"
	"runtime/debug"
	"strings"
	"sync"
)

// Target is the agent that is asked, and how.
type Target struct {
	Card    string            `json:"card"`
	Binding string            `json:"binding"`
	Version string            `json:"version"`
	Headers map[string]string `json:"headers"`
}

type request struct {
	ID     string          `json:"id"`
	Op     string          `json:"op"`
	Target Target          `json:"target"`
	Params json.RawMessage `json:"params"`
}

// Kinds of errors, as docs/drivers.md has them.
const (
	Protocol    = "protocol"
	Transport   = "transport"
	Unsupported = "unsupported"
	malformed   = "driver"
)

// Error is an error as the driver tells it.
type Error struct {
	Kind    string `json:"kind"`
	Type    string `json:"type"`
	Message string `json:"message"`
}

func (e Error) Error() string { return e.Message }

type answer struct {
	ID     string `json:"id"`
	Result any    `json:"result,omitempty"`
	Event  any    `json:"event,omitempty"`
	Done   bool   `json:"done,omitempty"`
	Error  *Error `json:"error,omitempty"`
}

// Call answers once, Stream as often as there are events.
type (
	Call   func(ctx context.Context, target Target, params json.RawMessage) (any, error)
	Stream func(ctx context.Context, target Target, params json.RawMessage) iter.Seq2[any, error]
)

// Driver is what an SDK's client can do.
type Driver struct {
	// Module is the path of the SDK's Go module.
	Module string
	// Model is the version in whose JSON parameters and results are written.
	Model   string
	Calls   map[string]Call
	Streams map[string]Stream
	// Surfaced tells an error of the SDK.
	Surfaced func(error) Error

	writing sync.Mutex
	open    sync.Map // of the streams by the id of their request: context.CancelFunc
}

// Read turns parameters into a type of the SDK.
func Read[T any](params json.RawMessage) (*T, error) {
	var value T
	if err := json.Unmarshal(params, &value); err != nil {
		return nil, Error{Kind: malformed, Type: "params", Message: err.Error()}
	}
	return &value, nil
}

// SDK is the module and the version of it that this program was built with.
func SDK(module string) map[string]string {
	version := ""
	if built, ok := debug.ReadBuildInfo(); ok {
		for _, dependency := range built.Deps {
			if dependency.Path == module {
				version = strings.TrimPrefix(dependency.Version, "v")
			}
		}
	}
	return map[string]string{"name": module, "version": version}
}

// Serve answers until the end of stdin.
func (d *Driver) Serve() {
	d.write(map[string]any{"ready": true, "sdk": SDK(d.Module), "model": d.Model})
	input := bufio.NewReader(os.Stdin)
	for {
		line, err := input.ReadBytes('\n')
		if len(line) > 0 {
			go d.answer(line)
		}
		if err != nil {
			return
		}
	}
}

func (d *Driver) answer(line []byte) {
	var asked request
	if err := json.Unmarshal(line, &asked); err != nil {
		d.fail(asked.ID, Error{Kind: malformed, Type: "line", Message: err.Error()})
		return
	}
	defer func() {
		if panicked := recover(); panicked != nil {
			d.fail(asked.ID, Error{Kind: Transport, Type: "panic", Message: fmt.Sprint(panicked)})
		}
	}()
	if asked.Op == "close" {
		d.close(asked)
	} else if call, ok := d.Calls[asked.Op]; ok {
		result, err := call(context.Background(), asked.Target, asked.Params)
		if err != nil {
			d.fail(asked.ID, err)
			return
		}
		d.write(answer{ID: asked.ID, Result: result})
	} else if stream, ok := d.Streams[asked.Op]; ok {
		d.follow(asked, stream)
	} else {
		d.fail(asked.ID, Error{Kind: Unsupported, Type: asked.Op, Message: "There is no such operation here."})
	}
}

func (d *Driver) follow(asked request, stream Stream) {
	ctx, hangUp := context.WithCancel(context.Background())
	defer hangUp()
	d.open.Store(asked.ID, hangUp)
	defer d.open.Delete(asked.ID)
	for event, err := range stream(ctx, asked.Target, asked.Params) {
		if ctx.Err() != nil {
			break // What comes after one has hung up is the SDK's way to say so.
		}
		if err != nil {
			d.fail(asked.ID, err)
			return
		}
		d.write(answer{ID: asked.ID, Event: event})
	}
	d.write(answer{ID: asked.ID, Done: true})
}

func (d *Driver) close(asked request) {
	named, err := Read[struct{ ID string }](asked.Params)
	if err != nil {
		d.fail(asked.ID, err)
		return
	}
	if hangUp, ok := d.open.Load(named.ID); ok {
		hangUp.(context.CancelFunc)()
	}
	d.write(answer{ID: asked.ID, Result: struct{}{}})
}

func (d *Driver) fail(id string, err error) {
	var told Error
	if !errors.As(err, &told) {
		told = d.Surfaced(err)
	}
	d.write(answer{ID: id, Error: &told})
}

func (d *Driver) write(line any) {
	written, err := json.Marshal(line)
	if err != nil {
		panic(err)
	}
	d.writing.Lock()
	defer d.writing.Unlock()
	os.Stdout.Write(append(written, '\n'))
}
