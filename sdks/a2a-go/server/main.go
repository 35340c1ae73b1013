// Command server hosts the agents of sdks/skills.json on the server of a2a-go v2 (docs/drivers.md).
package main

import (
	"log"
	"log/slog"
	"net/http"
	"os"

	"assay/sdks/go/lines"
	"assay/sdks/go/serving"
	"assay/sdks/go/skills"
	"github.com/a2aproject/a2a-go/v2/a2a"
	"github.com/a2aproject/a2a-go/v2/a2acompat/a2av0"
	grpcv0 "github.com/a2aproject/a2a-go/v2/a2agrpc/v0"
	grpcv1 "github.com/a2aproject/a2a-go/v2/a2agrpc/v1"
	"github.com/a2aproject/a2a-go/v2/a2asrv"
	"github.com/a2aproject/a2a-go/v2/a2asrv/push"
	"google.golang.org/grpc"
)

const module = "github.com/a2aproject/a2a-go/v2"

func main() {
	slog.SetDefault(slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn})))
	if err := serve(); err != nil {
		log.Fatal(err)
	}
}

func serve() error {
	described, err := skills.Read()
	if err != nil {
		return err
	}
	listener, err := serving.Listen()
	if err != nil {
		return err
	}
	mux := http.NewServeMux()
	agents := map[string]string{}
	for name, agent := range described.Agents {
		address := "http://" + listener.Addr().String() + "/" + name
		handler := a2asrv.NewHandler(executor{described.Performer(name)}, options(agent)...)
		rpc, err := serveGRPC(handler)
		if err != nil {
			return err
		}
		shown := card(described, agent, address, rpc)
		path := "/" + name
		mux.Handle(path+a2asrv.WellKnownAgentCardPath, a2asrv.NewAgentCardHandler(a2av0.NewStaticAgentCardProducer(shown)))
		mux.Handle(path, a2asrv.NewJSONRPCHandler(handler))
		mux.Handle(path+"/v0", a2av0.NewJSONRPCHandler(handler))
		mux.Handle(path+"/rest/", http.StripPrefix(path+"/rest", a2asrv.NewRESTHandler(handler)))
		mux.Handle(path+"/rest-v0/", http.StripPrefix(path+"/rest-v0", a2av0.NewRESTHandler(handler)))
		agents[name] = address
	}
	go http.Serve(listener, mux)
	return serving.UntilStdinEnds(module, agents)
}

func capabilities(agent skills.Agent) a2a.AgentCapabilities {
	return a2a.AgentCapabilities{Streaming: agent.Streaming, PushNotifications: agent.Push}
}

// options are those of the SDK's own command, `a2a serve`: its handler knows no card, and is told what that claims.
func options(agent skills.Agent) []a2asrv.RequestHandlerOption {
	claimed := capabilities(agent)
	chosen := []a2asrv.RequestHandlerOption{a2asrv.WithCapabilityChecks(&claimed)}
	if agent.Push {
		// Those who want to be notified listen on this machine.
		sender := push.NewHTTPPushSender(&push.HTTPSenderConfig{AllowPrivateNetworks: true})
		chosen = append(chosen, a2asrv.WithPushNotifications(push.NewInMemoryStore(), sender))
	}
	return chosen
}

// serveGRPC serves both versions on a port of the agent's own.
func serveGRPC(handler a2asrv.RequestHandler) (address string, err error) {
	listener, err := serving.ListenAnywhere()
	if err != nil {
		return "", err
	}
	server := grpc.NewServer()
	grpcv1.NewHandler(handler).RegisterWith(server)
	grpcv0.NewHandler(handler).RegisterWith(server)
	go server.Serve(listener)
	return listener.Addr().String(), nil
}

func card(described skills.Description, agent skills.Agent, address, rpc string) *a2a.AgentCard {
	shown := &a2a.AgentCard{
		Name:               agent.Name,
		Description:        agent.Description,
		Version:            lines.SDK(module)["version"],
		Capabilities:       capabilities(agent),
		DefaultInputModes:  agent.InputModes,
		DefaultOutputModes: agent.OutputModes,
		SupportedInterfaces: []*a2a.AgentInterface{
			{URL: address, ProtocolBinding: a2a.TransportProtocolJSONRPC, ProtocolVersion: a2a.Version},
			{URL: address + "/rest", ProtocolBinding: a2a.TransportProtocolHTTPJSON, ProtocolVersion: a2a.Version},
			{URL: rpc, ProtocolBinding: a2a.TransportProtocolGRPC, ProtocolVersion: a2a.Version},
			{URL: address + "/v0", ProtocolBinding: a2a.TransportProtocolJSONRPC, ProtocolVersion: a2av0.Version},
			{URL: address + "/rest-v0", ProtocolBinding: a2a.TransportProtocolHTTPJSON, ProtocolVersion: a2av0.Version},
			{URL: rpc, ProtocolBinding: a2a.TransportProtocolGRPC, ProtocolVersion: a2av0.Version},
		},
	}
	for _, id := range agent.Listed {
		skill := described.Skills[id]
		shown.Skills = append(shown.Skills, a2a.AgentSkill{ID: id, Name: skill.Name, Description: skill.Description, Tags: skill.Tags})
	}
	return shown
}
