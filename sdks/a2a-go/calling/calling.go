// Package calling makes clients of the SDK: for the client's driver, and for the server that relays.
package calling

import (
	"context"
	"maps"
	"sync"

	"assay/sdks/go/lines"
	"github.com/a2aproject/a2a-go/v2/a2a"
	"github.com/a2aproject/a2a-go/v2/a2aclient"
	"github.com/a2aproject/a2a-go/v2/a2aclient/agentcard"
)

// Spoken is a version of the protocol on a binding.
type Spoken struct {
	Version a2a.ProtocolVersion
	Binding a2a.TransportProtocol
}

// The SDK's client has these two of itself; the rest are packages of their own, in everything.go.
var transports = map[Spoken]a2aclient.FactoryOption{
	{a2a.Version, a2a.TransportProtocolJSONRPC}:  a2aclient.WithJSONRPCTransport(nil),
	{a2a.Version, a2a.TransportProtocolHTTPJSON}: a2aclient.WithRESTTransport(nil),
}

var parseCard = agentcard.DefaultCardParser

// Card is resolved as the SDK does it.
func Card(ctx context.Context, address string, headers map[string]string) (*a2a.AgentCard, error) {
	resolver := agentcard.NewResolver(nil)
	resolver.CardParser = parseCard
	var options []agentcard.ResolveOption
	for name, value := range headers {
		options = append(options, agentcard.WithRequestHeader(name, value))
	}
	return resolver.Resolve(ctx, address, options...)
}

// Any is a client for whatever the card offers.
func Any(ctx context.Context, address string) (*a2aclient.Client, error) {
	card, err := Card(ctx, address, nil)
	if err != nil {
		return nil, err
	}
	options := []a2aclient.FactoryOption{a2aclient.WithDefaultsDisabled()}
	for option := range maps.Values(transports) {
		options = append(options, option)
	}
	return a2aclient.NewFromCard(ctx, card, options...)
}

// Clients are made once for a target.
type Clients struct {
	made sync.Map // by lines.Target without its headers
}

type agent struct{ card, binding, version string }

// For a target, a client that has no other transport than the one that is asked for: the SDK's factory takes the
// newest version of those it has, whatever it is told to prefer. Without a binding, it chooses by the card.
func (c *Clients) For(ctx context.Context, target lines.Target) (*a2aclient.Client, error) {
	key := agent{target.Card, target.Binding, target.Version}
	if made, ok := c.made.Load(key); ok {
		return made.(*a2aclient.Client), nil
	}
	if target.Binding == "" {
		client, err := Any(ctx, target.Card)
		if err == nil {
			c.made.Store(key, client)
		}
		return client, err
	}
	transport, ok := transports[Spoken{a2a.ProtocolVersion(target.Version), a2a.TransportProtocol(target.Binding)}]
	if !ok {
		why := "This client was built without " + target.Binding + " of " + target.Version + "."
		return nil, lines.Error{Kind: lines.Unsupported, Type: "transport", Message: why}
	}
	card, err := Card(ctx, target.Card, target.Headers)
	if err != nil {
		return nil, err
	}
	client, err := a2aclient.NewFromCard(ctx, card, a2aclient.WithDefaultsDisabled(), transport)
	if err == nil {
		c.made.Store(key, client)
	}
	return client, err
}
