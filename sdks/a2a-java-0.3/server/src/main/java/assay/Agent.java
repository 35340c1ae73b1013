package assay;

import com.fasterxml.jackson.databind.JsonNode;
import io.a2a.server.PublicAgentCard;
import io.a2a.server.agentexecution.AgentExecutor;
import io.a2a.spec.AgentCapabilities;
import io.a2a.spec.AgentCard;
import io.a2a.spec.AgentSkill;
import io.quarkus.runtime.Quarkus;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Produces;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;

/** One agent on the SDK's reference server, which hosts one: its card and its executor. */
@ApplicationScoped
public class Agent {
    private final Bed bed = Bed.read();
    private final JsonNode agent = bed.agent(System.getProperty("assay.agent"));

    @Produces
    @PublicAgentCard
    public AgentCard card() {
        return new AgentCard.Builder()
                .name(agent.path("name").asText())
                .description(agent.path("description").asText())
                .url(System.getProperty("assay.address"))
                .version(System.getProperty("assay.sdk"))
                .protocolVersion("0.3.0")
                .capabilities(new AgentCapabilities.Builder()
                        .streaming(agent.path("streaming").asBoolean())
                        .pushNotifications(agent.path("push").asBoolean())
                        .build())
                .defaultInputModes(Bed.words(agent.path("inputModes")))
                .defaultOutputModes(Bed.words(agent.path("outputModes")))
                .skills(skills())
                .build();
    }

    @Produces
    public AgentExecutor executor() {
        return new Interpreter(bed, agent, Double.parseDouble(System.getenv().getOrDefault("ASSAY_TIME_SCALE", "1")));
    }

    private List<AgentSkill> skills() {
        return Bed.words(agent.path("skills")).stream().map(id -> {
            JsonNode skill = bed.skill(id);
            return new AgentSkill.Builder()
                    .id(id)
                    .name(skill.path("name").asText())
                    .description(skill.path("description").asText())
                    .tags(Bed.words(skill.path("tags")))
                    .build();
        }).toList();
    }

    /** The end of stdin is the end of the process that started this one. */
    void endWithParent(@Observes StartupEvent started) {
        Thread watch = new Thread(() -> {
            try (InputStream in = System.in) {
                in.transferTo(OutputStream.nullOutputStream());
            } catch (IOException e) {
                // Stdin is gone, which says the same.
            }
            Quarkus.asyncExit();
        });
        watch.setDaemon(true);
        watch.start();
    }
}
