package assay;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.a2a.A2A;
import io.a2a.server.agentexecution.AgentExecutor;
import io.a2a.server.agentexecution.RequestContext;
import io.a2a.server.events.EventQueue;
import io.a2a.server.tasks.TaskUpdater;
import io.a2a.spec.DataPart;
import io.a2a.spec.FilePart;
import io.a2a.spec.FileWithBytes;
import io.a2a.spec.Message;
import io.a2a.spec.Part;
import io.a2a.spec.Task;
import io.a2a.spec.TaskState;
import io.a2a.spec.TaskStatus;
import io.a2a.spec.TextPart;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Does the steps that skills.json has for a message, and tells the SDK's queue of each. */
final class Interpreter implements AgentExecutor {
    private static final ObjectMapper json = new ObjectMapper();

    private final Bed bed;
    private final JsonNode agent;
    private final double timeScale;
    /** The skills of tasks that wait for a further message. */
    private final Map<String, String> open = new ConcurrentHashMap<>();
    private final Map<String, Thread> atWork = new ConcurrentHashMap<>();

    Interpreter(Bed bed, JsonNode agent, double timeScale) {
        this.bed = bed;
        this.agent = agent;
        this.timeScale = timeScale;
    }

    @Override
    public void execute(RequestContext context, EventQueue queue) {
        String text = context.getUserInput("\n");
        atWork.put(context.getTaskId(), Thread.currentThread());
        try {
            TaskUpdater tell = new TaskUpdater(context, queue);
            for (JsonNode step : steps(context.getTaskId(), text)) {
                if (!done(step, text, context, queue, tell)) return;
            }
        } catch (InterruptedException canceled) {
            // What cancel() says of the task is its last word.
        } finally {
            atWork.remove(context.getTaskId());
        }
    }

    @Override
    public void cancel(RequestContext context, EventQueue queue) {
        new TaskUpdater(context, queue).cancel();
        // Only now: the SDK closes the queues of a task when its agent returns.
        Thread worker = atWork.remove(context.getTaskId());
        if (worker != null) worker.interrupt();
    }

    private JsonNode steps(String taskId, String text) {
        if (open.containsKey(taskId)) return Bed.continued(bed.skill(open.get(taskId)), text);
        String skill = bed.named(agent, text);
        if (bed.skill(skill).has("next")) open.put(taskId, skill);
        return bed.skill(skill).path("steps");
    }

    /** Whether to go on with the next step. */
    private boolean done(JsonNode step, String text, RequestContext context, EventQueue queue, TaskUpdater tell) throws InterruptedException {
        switch (step.path("do").asText()) {
            case "message" -> queue.enqueueEvent(A2A.createAgentTextMessage(fill(step.path("text"), text), context.getContextId(), null));
            case "begin" -> {
                if (context.getTask() == null) queue.enqueueEvent(submitted(context));
            }
            case "status" -> status(tell, step.path("state").asText(), step.has("text") ? fill(step.path("text"), text) : null);
            case "artifact" -> artifact(tell, step, parts(step.path("parts"), text));
            case "wait" -> Thread.sleep(Math.round(1000 * Math.max(seconds(step, text) * timeScale, step.path("atLeast").asDouble())));
            case "relay" -> {
                Relay.Answer answer = Relay.ask(text);
                if (answer.refused() != null) {
                    status(tell, answer.refused(), answer.text());
                    return false;
                }
                artifact(tell, step, List.of(new TextPart(answer.text())));
            }
            default -> throw new IllegalStateException("skills.json: " + step);
        }
        return true;
    }

    private static Task submitted(RequestContext context) {
        return new Task.Builder()
                .id(context.getTaskId())
                .contextId(context.getContextId())
                .status(new TaskStatus(TaskState.SUBMITTED))
                .history(context.getMessage())
                .build();
    }

    /** In 0.3 `final` closes a stream: with the end of a task, and where it waits for its user. */
    private static void status(TaskUpdater tell, String state, String text) {
        Message message = text == null ? null : tell.newAgentMessage(List.of(new TextPart(text)), null);
        tell.updateStatus(TaskState.fromString(state), message, !state.equals("working"));
    }

    private static void artifact(TaskUpdater tell, JsonNode step, List<Part<?>> parts) {
        String name = step.path("name").asText();
        tell.addArtifact(parts, name, name, null, step.path("append").asBoolean(false), step.path("lastChunk").asBoolean(true));
    }

    @SuppressWarnings("unchecked")
    private static List<Part<?>> parts(JsonNode given, String text) {
        List<Part<?>> parts = new ArrayList<>();
        for (JsonNode part : given) {
            if (part.has("text")) parts.add(new TextPart(fill(part.path("text"), text)));
            if (part.has("data")) parts.add(new DataPart(json.convertValue(part.path("data"), Map.class)));
            if (part.has("raw")) {
                parts.add(new FilePart(new FileWithBytes(part.path("mediaType").asText(), part.path("filename").asText(), part.path("raw").asText())));
            }
        }
        return parts;
    }

    private static String fill(JsonNode words, String text) {
        return words.asText().replace("{text}", text);
    }

    private static double seconds(JsonNode step, String text) {
        Matcher number = Pattern.compile("\\d+(\\.\\d+)?").matcher(text);
        return step.path("asked").asBoolean() && number.find() ? Double.parseDouble(number.group()) : step.path("seconds").asDouble();
    }
}
