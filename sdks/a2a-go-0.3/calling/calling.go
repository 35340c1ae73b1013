// Package calling makes clients of the SDK: for the client's driver, and for the server that relays.
package calling

import (
	"context"
	"sync"

	"assay/sdks/go/lines"
	"github.com/a2aproject/a2a-go/a2a"
	"github.com/a2aproject/a2a-go/a2aclient"
	"github.com/a2aproject/a2a-go/a2aclient/agentcard"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
)

// Card is resolved as the SDK does it.
func Card(ctx context.Context, address string, headers map[string]string) (*a2a.AgentCard, error) {
	var options []agentcard.ResolveOption
	for name, value := range headers {
		options = append(options, agentcard.WithRequestHeader(name, value))
	}
	return agentcard.DefaultResolver.Resolve(ctx, address, options...)
}

// Client for an agent, which would like to use one binding; any for "".
func Client(ctx context.Context, target lines.Target) (*a2aclient.Client, error) {
	card, err := Card(ctx, target.Card, target.Headers)
	if err != nil {
		return nil, err
	}
	config := a2aclient.Config{}
	if target.Binding != "" {
		config.PreferredTransports = []a2a.TransportProtocol{a2a.TransportProtocol(target.Binding)}
	}
	meta := a2aclient.CallMeta{}
	for name, value := range target.Headers {
		meta.Append(name, value)
	}
	return a2aclient.NewFromCard(ctx, card,
		a2aclient.WithConfig(config),
		a2aclient.WithGRPCTransport(grpc.WithTransportCredentials(insecure.NewCredentials())),
		a2aclient.WithInterceptors(a2aclient.NewStaticCallMetaInjector(meta)))
}

// Clients are made once for a target; those with headers each time.
type Clients struct {
	made sync.Map
}

type agent struct{ card, binding string }

// For a target.
func (c *Clients) For(ctx context.Context, target lines.Target) (*a2aclient.Client, error) {
	if len(target.Headers) > 0 {
		return Client(ctx, target)
	}
	key := agent{target.Card, target.Binding}
	if made, ok := c.made.Load(key); ok {
		return made.(*a2aclient.Client), nil
	}
	client, err := Client(ctx, target)
	if err == nil {
		c.made.Store(key, client)
	}
	return client, err
}
