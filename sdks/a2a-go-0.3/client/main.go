// Command client puts the client of a2a-go 0.3 behind stdin and stdout (docs/drivers.md).
package main

import (
	"context"
	"encoding/json"
	"iter"

	"assay/sdks/a2a-go-0.3/calling"
	"assay/sdks/go/lines"
	"github.com/a2aproject/a2a-go/a2a"
	"github.com/a2aproject/a2a-go/a2aclient"
)

var clients calling.Clients

func main() {
	driver := lines.Driver{
		Module: "github.com/a2aproject/a2a-go",
		Model:  "0.3",
		Calls: map[string]lines.Call{
			"card":         card,
			"extendedCard": call(extendedCard),
			"send":         call((*a2aclient.Client).SendMessage),
			"get":          call((*a2aclient.Client).GetTask),
			"cancel":       call((*a2aclient.Client).CancelTask),
			"push.create":  call((*a2aclient.Client).SetTaskPushConfig),
			"push.get":     call((*a2aclient.Client).GetTaskPushConfig),
			"push.list":    call(listPushConfigs),
			"push.delete":  call(deletePushConfig),
		},
		Streams: map[string]lines.Stream{
			"stream":    stream((*a2aclient.Client).SendStreamingMessage),
			"subscribe": stream((*a2aclient.Client).ResubscribeToTask),
		},
		Surfaced: lines.Sentinels(sentinels),
	}
	driver.Serve()
}

func card(ctx context.Context, target lines.Target, _ json.RawMessage) (any, error) {
	return calling.Card(ctx, target.Card, target.Headers)
}

func extendedCard(client *a2aclient.Client, ctx context.Context, _ *struct{}) (*a2a.AgentCard, error) {
	return client.GetAgentCard(ctx)
}

func listPushConfigs(client *a2aclient.Client, ctx context.Context, request *a2a.ListTaskPushConfigParams) (any, error) {
	configs, err := client.ListTaskPushConfig(ctx, request)
	return map[string]any{"configs": configs}, err
}

func deletePushConfig(client *a2aclient.Client, ctx context.Context, request *a2a.DeleteTaskPushConfigParams) (any, error) {
	return struct{}{}, client.DeleteTaskPushConfig(ctx, request)
}

func call[Request, Result any](method func(*a2aclient.Client, context.Context, *Request) (Result, error)) lines.Call {
	return func(ctx context.Context, target lines.Target, params json.RawMessage) (any, error) {
		request, err := lines.Read[Request](params)
		if err != nil {
			return nil, err
		}
		client, err := clients.For(ctx, target)
		if err != nil {
			return nil, err
		}
		return method(client, ctx, request)
	}
}

func stream[Request any](method func(*a2aclient.Client, context.Context, *Request) iter.Seq2[a2a.Event, error]) lines.Stream {
	return func(ctx context.Context, target lines.Target, params json.RawMessage) iter.Seq2[any, error] {
		return func(yield func(any, error) bool) {
			request, err := lines.Read[Request](params)
			if err != nil {
				yield(nil, err)
				return
			}
			client, err := clients.For(ctx, target)
			if err != nil {
				yield(nil, err)
				return
			}
			for event, err := range method(client, ctx, request) {
				if !yield(event, err) {
					return
				}
			}
		}
	}
}
