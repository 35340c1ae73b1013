// Command server hosts the agents of sdks/skills.json on the server of a2a-go 0.3 (docs/drivers.md).
package main

import (
	"log"
	"log/slog"
	"net/http"
	"os"

	"assay/sdks/go/lines"
	"assay/sdks/go/serving"
	"assay/sdks/go/skills"
	"github.com/a2aproject/a2a-go/a2a"
	"github.com/a2aproject/a2a-go/a2agrpc"
	"github.com/a2aproject/a2a-go/a2asrv"
	"github.com/a2aproject/a2a-go/a2asrv/push"
	"google.golang.org/grpc"
)

const module = "github.com/a2aproject/a2a-go"

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
		mux.Handle("/"+name+a2asrv.WellKnownAgentCardPath, a2asrv.NewStaticAgentCardHandler(card(described, agent, address, rpc)))
		mux.Handle("/"+name, a2asrv.NewJSONRPCHandler(handler))
		agents[name] = address
	}
	go http.Serve(listener, mux)
	return serving.UntilStdinEnds(module, agents)
}

func options(agent skills.Agent) []a2asrv.RequestHandlerOption {
	if !agent.Push {
		return nil
	}
	return []a2asrv.RequestHandlerOption{a2asrv.WithPushNotifications(push.NewInMemoryStore(), push.NewHTTPPushSender(nil))}
}

// serveGRPC serves on a port of the agent's own.
func serveGRPC(handler a2asrv.RequestHandler) (address string, err error) {
	listener, err := serving.ListenAnywhere()
	if err != nil {
		return "", err
	}
	server := grpc.NewServer()
	a2agrpc.NewHandler(handler).RegisterWith(server)
	go server.Serve(listener)
	return listener.Addr().String(), nil
}

func card(described skills.Description, agent skills.Agent, address, rpc string) *a2a.AgentCard {
	shown := &a2a.AgentCard{
		Name:               agent.Name,
		Description:        agent.Description,
		Version:            lines.SDK(module)["version"],
		ProtocolVersion:    string(a2a.Version),
		URL:                address,
		PreferredTransport: a2a.TransportProtocolJSONRPC,
		AdditionalInterfaces: []a2a.AgentInterface{
			{URL: address, Transport: a2a.TransportProtocolJSONRPC},
			{URL: rpc, Transport: a2a.TransportProtocolGRPC},
		},
		Capabilities:       a2a.AgentCapabilities{Streaming: agent.Streaming, PushNotifications: agent.Push},
		DefaultInputModes:  agent.InputModes,
		DefaultOutputModes: agent.OutputModes,
	}
	for _, id := range agent.Listed {
		skill := described.Skills[id]
		shown.Skills = append(shown.Skills, a2a.AgentSkill{ID: id, Name: skill.Name, Description: skill.Description, Tags: skill.Tags})
	}
	return shown
}
