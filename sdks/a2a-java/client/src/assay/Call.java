package assay;

import com.google.gson.JsonObject;
import io.a2a.client.ClientEvent;
import io.a2a.client.MessageEvent;
import io.a2a.client.TaskEvent;
import io.a2a.client.TaskUpdateEvent;
import io.a2a.spec.AgentCard;
import io.a2a.spec.StreamingEventKind;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** The methods of the SDK's client by the operations of the driver protocol. */
final class Call {
    private final Lines lines;

    Call(Lines lines) {
        this.lines = lines;
    }

    void answer(String id, String op, JsonObject target, JsonObject params) {
        try {
            call(id, op, new Target(target), params);
        } catch (Unsupported e) {
            lines.error(id, "unsupported", null, null, e.getMessage());
        } catch (Throwable e) {
            lines.surfaced(id, e);
        }
    }

    private void call(String id, String op, Target target, JsonObject params) throws Exception {
        switch (op) {
            case "card" -> lines.result(id, ToJson.card(target.card()));
            case "extendedCard" -> lines.result(id, ToJson.card(target.client(false).getExtendedAgentCard(target.context())));
            case "send" -> target.client(false).sendMessage(FromJson.message(params),
                    List.of((event, card) -> lines.result(id, ToJson.event(kind(event)))), null, target.context());
            case "stream" -> target.client(true).sendMessage(FromJson.message(params), events(id), end(id), target.context());
            case "get" -> lines.result(id, ToJson.task(target.client(false).getTask(FromJson.get(params), target.context())));
            case "list" -> lines.result(id, ToJson.tasks(target.client(false).listTasks(FromJson.list(params), target.context())));
            case "cancel" -> lines.result(id, ToJson.task(target.client(false).cancelTask(FromJson.cancel(params), target.context())));
            case "subscribe" -> target.client(true).subscribeToTask(FromJson.subscribe(params), events(id), end(id), target.context());
            case "push.create" -> lines.result(id, ToJson.push(
                    target.client(false).createTaskPushNotificationConfiguration(FromJson.push(params), target.context())));
            case "push.get" -> lines.result(id, ToJson.push(
                    target.client(false).getTaskPushNotificationConfiguration(FromJson.getPush(params), target.context())));
            case "push.list" -> lines.result(id, ToJson.pushes(
                    target.client(false).listTaskPushNotificationConfigurations(FromJson.listPush(params), target.context())));
            case "push.delete" -> {
                target.client(false).deleteTaskPushNotificationConfigurations(FromJson.deletePush(params), target.context());
                lines.result(id, new JsonObject());
            }
            case "close" -> throw new Unsupported("The client gives no handle on a stream that could end it.");
            default -> throw new Unsupported("The SDK has no operation " + op + ".");
        }
    }

    private List<BiConsumer<ClientEvent, AgentCard>> events(String id) {
        return List.of((event, card) -> lines.event(id, ToJson.event(kind(event))));
    }

    /** The SDK tells the handler of errors, with no error, that a stream ended well. */
    private Consumer<Throwable> end(String id) {
        return error -> {
            if (error == null) {
                lines.done(id);
            } else {
                lines.surfaced(id, error);
            }
        };
    }

    /** What came over the wire; the task that the client keeps of it is left out. */
    private static StreamingEventKind kind(ClientEvent event) {
        if (event instanceof TaskUpdateEvent update) return (StreamingEventKind) update.getUpdateEvent();
        if (event instanceof TaskEvent task) return task.getTask();
        return ((MessageEvent) event).getMessage();
    }
}
