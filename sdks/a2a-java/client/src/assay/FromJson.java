package assay;

import com.google.gson.Gson;
import com.google.gson.JsonObject;
import com.google.protobuf.Message.Builder;
import io.a2a.grpc.GetTaskRequest;
import io.a2a.grpc.ListTasksRequest;
import io.a2a.grpc.Message;
import io.a2a.grpc.utils.JSONRPCUtils;
import io.a2a.grpc.utils.ProtoUtils.FromProto;
import io.a2a.jsonrpc.common.json.JsonProcessingException;
import io.a2a.spec.AuthenticationInfo;
import io.a2a.spec.DeleteTaskPushNotificationConfigParams;
import io.a2a.spec.GetTaskPushNotificationConfigParams;
import io.a2a.spec.ListTaskPushNotificationConfigParams;
import io.a2a.spec.ListTasksParams;
import io.a2a.spec.MessageSendConfiguration;
import io.a2a.spec.MessageSendParams;
import io.a2a.spec.PushNotificationConfig;
import io.a2a.spec.TaskIdParams;
import io.a2a.spec.TaskPushNotificationConfig;
import io.a2a.spec.TaskQueryParams;
import java.util.List;
import java.util.Map;

/**
 * The requests of 1.0 as the SDK's types.
 *
 * <p>Its protocol buffers are those of a draft. Where it says the same in other words (`blocking`, nested push
 * configurations) the builders of its types are used; what they have no word for is unsupported.
 */
final class FromJson {
    private static final Gson gson = new Gson();

    private FromJson() {}

    static MessageSendParams message(JsonObject params) {
        var message = MessageSendParams.builder()
                .message(FromProto.message(parse(Main.part(params, "message"), Message.newBuilder()).build()));
        if (params.has("configuration")) message.configuration(configuration(Main.part(params, "configuration")));
        if (params.has("metadata")) message.metadata(map(Main.part(params, "metadata")));
        if (params.has("tenant")) message.tenant(Main.text(params, "tenant"));
        return message.build();
    }

    private static MessageSendConfiguration configuration(JsonObject json) {
        var configuration = MessageSendConfiguration.builder();
        configuration.blocking(!(json.has("returnImmediately") && json.get("returnImmediately").getAsBoolean()));
        if (json.has("historyLength")) configuration.historyLength(json.get("historyLength").getAsInt());
        if (json.has("acceptedOutputModes")) {
            configuration.acceptedOutputModes(List.of(gson.fromJson(json.get("acceptedOutputModes"), String[].class)));
        }
        if (json.has("taskPushNotificationConfig")) {
            configuration.pushNotificationConfig(pushConfig(Main.part(json, "taskPushNotificationConfig")));
        }
        return configuration.build();
    }

    static TaskQueryParams get(JsonObject params) {
        return FromProto.taskQueryParams(parse(params, GetTaskRequest.newBuilder()));
    }

    static ListTasksParams list(JsonObject params) {
        return FromProto.listTasksParams(parse(params, ListTasksRequest.newBuilder()));
    }

    static TaskIdParams cancel(JsonObject params) {
        if (params.has("metadata")) throw new Unsupported("TaskIdParams, the request to cancel, has no metadata.");
        return subscribe(params);
    }

    static TaskIdParams subscribe(JsonObject params) {
        return new TaskIdParams(Main.text(params, "id"), Main.text(params, "tenant"));
    }

    static TaskPushNotificationConfig push(JsonObject params) {
        return new TaskPushNotificationConfig(Main.text(params, "taskId"), pushConfig(params), Main.text(params, "tenant"));
    }

    static GetTaskPushNotificationConfigParams getPush(JsonObject params) {
        return new GetTaskPushNotificationConfigParams(Main.text(params, "taskId"), Main.text(params, "id"), Main.text(params, "tenant"));
    }

    static ListTaskPushNotificationConfigParams listPush(JsonObject params) {
        return new ListTaskPushNotificationConfigParams(Main.text(params, "taskId"),
                params.has("pageSize") ? params.get("pageSize").getAsInt() : 0, Main.text(params, "pageToken"), Main.text(params, "tenant"));
    }

    static DeleteTaskPushNotificationConfigParams deletePush(JsonObject params) {
        return new DeleteTaskPushNotificationConfigParams(Main.text(params, "taskId"), Main.text(params, "id"), Main.text(params, "tenant"));
    }

    private static PushNotificationConfig pushConfig(JsonObject json) {
        var config = PushNotificationConfig.builder().url(Main.text(json, "url"));
        if (json.has("id")) config.id(Main.text(json, "id"));
        if (json.has("token")) config.token(Main.text(json, "token"));
        if (json.has("authentication")) {
            JsonObject authentication = Main.part(json, "authentication");
            config.authentication(new AuthenticationInfo(Main.text(authentication, "scheme"), Main.text(authentication, "credentials")));
        }
        return config.build();
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> map(JsonObject json) {
        return gson.fromJson(json, Map.class);
    }

    private static <T extends Builder> T parse(JsonObject json, T builder) {
        try {
            JSONRPCUtils.parseJsonString(json.toString(), builder, "");
            return builder;
        } catch (JsonProcessingException e) {
            throw new Unsupported("The SDK's types do not hold it: " + e.getMessage());
        }
    }
}
