package assay;

import io.a2a.A2A;
import io.a2a.client.Client;
import io.a2a.client.ClientEvent;
import io.a2a.client.MessageEvent;
import io.a2a.client.TaskEvent;
import io.a2a.client.config.ClientConfig;
import io.a2a.client.transport.jsonrpc.JSONRPCTransport;
import io.a2a.client.transport.jsonrpc.JSONRPCTransportConfig;
import io.a2a.spec.AgentCard;
import io.a2a.spec.Part;
import io.a2a.spec.Task;
import io.a2a.spec.TaskQueryParams;
import io.a2a.spec.TaskState;
import io.a2a.spec.TextPart;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

/** `relay <cardUrl> <text>`: the texts of what another agent answers, asked with the SDK's own client. */
final class Relay {
    private static final String WELL_KNOWN = "/.well-known/agent-card.json";

    /** `refused` is the state to end with where there is no answer. */
    record Answer(String text, String refused) {}

    private Relay() {}

    static Answer ask(String message) throws InterruptedException {
        String[] words = message.strip().split("\\s+", 3);
        if (words.length < 3) return new Answer("[relay] Say: relay <cardUrl> <text>", "rejected");
        try {
            URI address = URI.create(words[1]);
            if (!List.of("127.0.0.1", "[::1]").contains(String.valueOf(address.getHost()))) {
                return new Answer("[relay] Only agents on this machine are asked.", "rejected");
            }
            return new Answer(String.join("\n", texts(address, words[2])), null);
        } catch (InterruptedException canceled) {
            throw canceled;
        } catch (Throwable e) {
            // The SDK's errors of the protocol are no exceptions in Java's sense.
            return new Answer("[relay] " + e.getMessage(), "failed");
        }
    }

    private static List<String> texts(URI address, String text) throws Exception {
        String path = address.getPath().endsWith(WELL_KNOWN) ? address.getPath() : address.getPath().replaceAll("/+$", "") + WELL_KNOWN;
        AgentCard card = A2A.getAgentCard(address.toString(), path, null);
        Client client = Client.builder(card)
                .clientConfig(new ClientConfig.Builder().setStreaming(false).build())
                .withTransport(JSONRPCTransport.class, new JSONRPCTransportConfig())
                .build();
        AtomicReference<ClientEvent> answer = new AtomicReference<>();
        client.sendMessage(A2A.toUserMessage(text), List.of((event, agent) -> answer.set(event)), null, null);
        if (answer.get() instanceof MessageEvent said) return texts(said.getMessage().getParts());
        Task task = ((TaskEvent) answer.get()).getTask();
        while (task.getStatus().state() == TaskState.SUBMITTED || task.getStatus().state() == TaskState.WORKING) {
            Thread.sleep(200);
            task = client.getTask(new TaskQueryParams(task.getId()), null);
        }
        List<String> texts = new ArrayList<>();
        if (task.getArtifacts() != null) task.getArtifacts().forEach(artifact -> texts.addAll(texts(artifact.parts())));
        if (task.getStatus().message() != null) texts.addAll(texts(task.getStatus().message().getParts()));
        return texts;
    }

    private static List<String> texts(List<Part<?>> parts) {
        return parts.stream().filter(TextPart.class::isInstance).map(part -> ((TextPart) part).getText()).toList();
    }
}
