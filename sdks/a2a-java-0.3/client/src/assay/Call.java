package assay;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.a2a.client.Client;
import io.a2a.client.ClientEvent;
import io.a2a.client.MessageEvent;
import io.a2a.client.TaskEvent;
import io.a2a.client.TaskUpdateEvent;
import io.a2a.client.transport.spi.interceptors.ClientCallContext;
import io.a2a.spec.AgentCard;
import io.a2a.spec.DeleteTaskPushNotificationConfigParams;
import io.a2a.spec.GetTaskPushNotificationConfigParams;
import io.a2a.spec.ListTaskPushNotificationConfigParams;
import io.a2a.spec.Message;
import io.a2a.spec.TaskIdParams;
import io.a2a.spec.TaskPushNotificationConfig;
import io.a2a.spec.TaskQueryParams;
import io.a2a.util.Utils;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** The methods of the SDK's client by the operations of the driver protocol. */
final class Call {
    private final Lines lines;

    Call(Lines lines) {
        this.lines = lines;
    }

    void answer(String id, String op, Target target, JsonNode params) {
        try {
            call(id, op, target, params);
        } catch (Unsupported e) {
            lines.error(id, "unsupported", null, null, e.getMessage());
        } catch (Throwable e) {
            lines.surfaced(id, e);
        }
    }

    private void call(String id, String op, Target target, JsonNode params) throws Exception {
        var context = target.context();
        switch (op) {
            case "card" -> lines.result(id, target.card());
            case "send" -> target.client(false, params).sendMessage(typed(params.path("message"), Message.class),
                    List.of((event, card) -> lines.result(id, kind(event))), null, context);
            case "stream" -> target.client(true, params).sendMessage(typed(params.path("message"), Message.class), events(id), end(id), context);
            case "subscribe" -> target.client(true, params).resubscribe(typed(params, TaskIdParams.class), events(id), end(id), context);
            case "close" -> throw new Unsupported("The client gives no handle on a stream that could end it.");
            case "list" -> throw new Unsupported("0.3 has no list of tasks over JSON-RPC, and the client has none on any binding.");
            default -> lines.result(id, asked(op, target.client(false, params), params, context));
        }
    }

    private static Object asked(String op, Client client, JsonNode params, ClientCallContext context)
            throws Exception {
        return switch (op) {
            case "extendedCard" -> client.getAgentCard(context);
            case "get" -> client.getTask(typed(params, TaskQueryParams.class), context);
            case "cancel" -> client.cancelTask(typed(params, TaskIdParams.class), context);
            case "push.create" -> client.setTaskPushNotificationConfiguration(typed(params, TaskPushNotificationConfig.class), context);
            case "push.get" -> client.getTaskPushNotificationConfiguration(typed(params, GetTaskPushNotificationConfigParams.class), context);
            case "push.list" -> Map.of("configs",
                    client.listTaskPushNotificationConfigurations(typed(params, ListTaskPushNotificationConfigParams.class), context));
            case "push.delete" -> {
                client.deleteTaskPushNotificationConfigurations(typed(params, DeleteTaskPushNotificationConfigParams.class), context);
                yield Map.of();
            }
            default -> throw new Unsupported("The SDK has no operation " + op + ".");
        };
    }

    private static <T> T typed(JsonNode json, Class<T> type) {
        try {
            return Utils.OBJECT_MAPPER.treeToValue(json, type);
        } catch (JsonProcessingException e) {
            throw new Unsupported("The SDK's types do not hold it: " + e.getOriginalMessage());
        }
    }

    private List<BiConsumer<ClientEvent, AgentCard>> events(String id) {
        return List.of((event, card) -> lines.event(id, kind(event)));
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
    private static Object kind(ClientEvent event) {
        if (event instanceof TaskUpdateEvent update) return update.getUpdateEvent();
        if (event instanceof TaskEvent task) return task.getTask();
        return ((MessageEvent) event).getMessage();
    }
}
