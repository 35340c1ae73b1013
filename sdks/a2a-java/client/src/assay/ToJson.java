package assay;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.MessageOrBuilder;
import com.google.protobuf.util.JsonFormat;
import io.a2a.grpc.utils.ProtoUtils.ToProto;
import io.a2a.jsonrpc.common.wrappers.ListTasksResult;
import io.a2a.spec.AgentCard;
import io.a2a.spec.ListTaskPushNotificationConfigResult;
import io.a2a.spec.StreamingEventKind;
import io.a2a.spec.Task;
import io.a2a.spec.TaskPushNotificationConfig;

/** What the SDK gave back, in the JSON of 1.0. */
final class ToJson {
    private ToJson() {}

    static JsonElement card(AgentCard card) {
        return print(ToProto.agentCard(card));
    }

    static JsonElement task(Task task) {
        return print(ToProto.task(task));
    }

    static JsonElement tasks(ListTasksResult result) {
        return print(ToProto.listTasksResult(result));
    }

    static JsonElement event(StreamingEventKind event) {
        return print(ToProto.taskOrMessageStream(event));
    }

    /** 1.0 has the members of the configuration beside the id of the task. */
    static JsonElement push(TaskPushNotificationConfig config) {
        JsonObject draft = print(ToProto.taskPushNotificationConfig(config)).getAsJsonObject();
        JsonObject flat = Main.part(draft, "pushNotificationConfig").deepCopy();
        flat.addProperty("taskId", config.taskId());
        return flat;
    }

    static JsonElement pushes(ListTaskPushNotificationConfigResult result) {
        JsonArray configs = new JsonArray();
        result.configs().forEach(config -> configs.add(push(config)));
        JsonObject page = new JsonObject();
        page.add("configs", configs);
        if (result.nextPageToken() != null) page.addProperty("nextPageToken", result.nextPageToken());
        return page;
    }

    private static JsonElement print(MessageOrBuilder message) {
        try {
            return JsonParser.parseString(JsonFormat.printer().print(message));
        } catch (InvalidProtocolBufferException e) {
            throw new IllegalStateException(e);
        }
    }
}
