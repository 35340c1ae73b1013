// Command client puts the client of a2a-go v2 behind stdin and stdout (docs/drivers.md).
package main

import (
	"context"
	"encoding/json"
	"iter"

	"assay/sdks/a2a-go/calling"
	"assay/sdks/go/lines"
	"github.com/a2aproject/a2a-go/v2/a2a"
	"github.com/a2aproject/a2a-go/v2/a2aclient"
)

var clients calling.Clients

func main() {
	driver := lines.Driver{
		Module: "github.com/a2aproject/a2a-go/v2",
		Model:  "1.0",
		Calls: map[string]lines.Call{
			"card":         card,
			"extendedCard": call((*a2aclient.Client).GetExtendedAgentCard),
			"send":         call(send),
			"get":          call((*a2aclient.Client).GetTask),
			"list":         call((*a2aclient.Client).ListTasks),
			"cancel":       call((*a2aclient.Client).CancelTask),
			"push.create":  call((*a2aclient.Client).CreateTaskPushConfig),
			"push.get":     call((*a2aclient.Client).GetTaskPushConfig),
			"push.list":    call(listPushConfigs),
			"push.delete":  call(deletePushConfig),
		},
		Streams: map[string]lines.Stream{
			"stream":    stream((*a2aclient.Client).SendStreamingMessage),
			"subscribe": stream((*a2aclient.Client).SubscribeToTask),
		},
		Surfaced: lines.Sentinels(sentinels),
	}
	driver.Serve()
}

func card(ctx context.Context, target lines.Target, _ json.RawMessage) (any, error) {
	return calling.Card(ctx, target.Card, target.Headers)
}

func send(client *a2aclient.Client, ctx context.Context, request *a2a.SendMessageRequest) (a2a.StreamResponse, error) {
	result, err := client.SendMessage(ctx, request)
	return a2a.StreamResponse{Event: result}, err
}

func listPushConfigs(client *a2aclient.Client, ctx context.Context, request *a2a.ListTaskPushConfigRequest) (any, error) {
	configs, err := client.ListTaskPushConfigs(ctx, request)
	return map[string]any{"configs": configs}, err
}

func deletePushConfig(client *a2aclient.Client, ctx context.Context, request *a2a.DeleteTaskPushConfigRequest) (any, error) {
	return struct{}{}, client.DeleteTaskPushConfig(ctx, request)
}

// asked is a client for the target, the request in the SDK's types, and a context with the headers.
func asked[Request any](ctx context.Context, target lines.Target, params json.RawMessage) (context.Context, *a2aclient.Client, *Request, error) {
	request, err := lines.Read[Request](params)
	if err != nil {
		return ctx, nil, nil, err
	}
	client, err := clients.For(ctx, target)
	headers := a2aclient.ServiceParams{}
	for name, value := range target.Headers {
		headers.Append(name, value)
	}
	return a2aclient.AttachServiceParams(ctx, headers), client, request, err
}

func call[Request, Result any](method func(*a2aclient.Client, context.Context, *Request) (Result, error)) lines.Call {
	return func(ctx context.Context, target lines.Target, params json.RawMessage) (any, error) {
		ctx, client, request, err := asked[Request](ctx, target, params)
		if err != nil {
			return nil, err
		}
		return method(client, ctx, request)
	}
}

func stream[Request any](method func(*a2aclient.Client, context.Context, *Request) iter.Seq2[a2a.Event, error]) lines.Stream {
	return func(ctx context.Context, target lines.Target, params json.RawMessage) iter.Seq2[any, error] {
		return func(yield func(any, error) bool) {
			ctx, client, request, err := asked[Request](ctx, target, params)
			if err != nil {
				yield(nil, err)
				return
			}
			for event, err := range method(client, ctx, request) {
				if !yield(a2a.StreamResponse{Event: event}, err) {
					return
				}
			}
		}
	}
}
