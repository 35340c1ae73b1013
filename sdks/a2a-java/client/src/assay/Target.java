package assay;

import com.google.gson.JsonObject;
import io.a2a.A2A;
import io.a2a.client.Client;
import io.a2a.client.ClientBuilder;
import io.a2a.client.config.ClientConfig;
import io.a2a.client.transport.grpc.GrpcTransport;
import io.a2a.client.transport.grpc.GrpcTransportConfig;
import io.a2a.client.transport.jsonrpc.JSONRPCTransport;
import io.a2a.client.transport.jsonrpc.JSONRPCTransportConfig;
import io.a2a.client.transport.rest.RestTransport;
import io.a2a.client.transport.rest.RestTransportConfig;
import io.a2a.client.transport.spi.interceptors.ClientCallContext;
import io.a2a.spec.AgentCard;
import io.grpc.ManagedChannelBuilder;
import java.net.URI;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Whom a request asks. A client is kept for each target and manner, as a program would keep one. */
final class Target {
    private static final Map<String, Client> kept = new ConcurrentHashMap<>();

    private final JsonObject target;

    Target(JsonObject target) {
        this.target = target;
    }

    /** The resolver takes only the origin of an address; the path of the card is an argument of its own. */
    AgentCard card() {
        String base = Main.text(target, "card").replaceAll("/+$", "");
        return A2A.getAgentCard(base, URI.create(base).getPath() + "/.well-known/agent-card.json", headers());
    }

    /** Whether a message is sent or streamed is a matter of the client's configuration in this SDK. */
    Client client(boolean streaming) throws Exception {
        String key = target + " " + streaming;
        Client client = kept.get(key);
        if (client == null) {
            ClientConfig config = ClientConfig.builder().setStreaming(streaming).build();
            client = over(Main.text(target, "binding"), Client.builder(card()).clientConfig(config)).build();
            kept.put(key, client);
        }
        return client;
    }

    ClientCallContext context() {
        return new ClientCallContext(Map.of(), headers());
    }

    /** The matrix names one binding. Without a name the client has all three, and takes the first that the card lists. */
    private ClientBuilder over(String binding, ClientBuilder builder) {
        return switch (binding) {
            case "JSONRPC" -> builder.withTransport(JSONRPCTransport.class, new JSONRPCTransportConfig());
            case "HTTP+JSON" -> builder.withTransport(RestTransport.class, new RestTransportConfig());
            case "GRPC" -> builder.withTransport(GrpcTransport.class,
                    new GrpcTransportConfig(address -> ManagedChannelBuilder.forTarget(address).usePlaintext().build()));
            case "" -> over("JSONRPC", over("HTTP+JSON", over("GRPC", builder)));
            default -> throw new Unsupported("no transport for " + binding);
        };
    }

    private Map<String, String> headers() {
        Map<String, String> headers = new HashMap<>();
        Main.part(target, "headers").entrySet().forEach(header -> headers.put(header.getKey(), header.getValue().getAsString()));
        return headers;
    }
}
