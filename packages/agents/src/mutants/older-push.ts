import type { JsonObject } from "@assay/protocol";
import { A2AError } from "@assay/protocol";
import { type Divergence, spec03 } from "../definition/divergence.ts";
import type { Layers } from "../definition/layers.ts";
import { changeAnswers, changeRequests } from "../mutation/http.ts";
import { answerOf } from "../mutation/json.ts";
import { instead } from "../mutation/operations.ts";
import { postedText } from "../mutation/requests.ts";

// Push notifications of 0.3 and 0.2, where 1.0 has another rule.

type Codec = NonNullable<Layers["codec"]>;
type Push = NonNullable<Layers["push"]>;

const overJsonRpc =
  (codec: Codec): Codec =>
  (json, written) =>
    written.binding === "JSONRPC" ? codec(json, written) : json;

/** Changes the notifications of webhooks and their Content-Type. */
const posting =
  (change: (body: JsonObject) => JsonObject, label?: string): Push =>
  (post) =>
  (url, headers, body, signal) =>
    post(
      url,
      headers.map(([name, value]) => [name, (name === "Content-Type" && label) || value] as const),
      JSON.stringify(change(JSON.parse(body) as JsonObject)),
      signal,
    );

/** Converts a configuration to the format of 1.0. */
const flat = ({ pushNotificationConfig, taskId }: JsonObject): JsonObject => ({
  ...(pushNotificationConfig as JsonObject),
  taskId: taskId ?? "",
});

/** Rejects calls that name only the task. */
const demandsTheId = changeRequests((request) => ({
  async body() {
    const bytes = await request.body();
    const text = String(bytes);
    if (!text.includes('"tasks/pushNotificationConfig/get"') || text.includes('"pushNotificationConfigId"'))
      return bytes;
    // Without the task too, the call is rejected for the missing member.
    return Buffer.from(text.replace(/"params":\{[^}]*\}/, '"params":{}'));
  },
}));

export const olderPushMutants: readonly Divergence[] = [
  spec03("V03-PUSH-001.new-form", "Webhooks registered over 0.3 get the StreamResponse of 1.0.", {
    push: posting(({ kind: _kind, ...task }) => ({ task })),
  }),

  spec03("V03-PUSH-002.demands-the-id", "Reading a push configuration by task id alone returns an error.", {
    http: demandsTheId,
  }),

  spec03("V03-PUSH-003.form", "Notifications have the Content-Type of a form.", {
    push: posting((task) => task, "application/x-www-form-urlencoded"),
  }),

  spec03("V03-PUSH-004.says-so", "Deleting a push configuration returns a string as result.", {
    codec: overJsonRpc(answerOf("DeleteTaskPushNotificationConfig", () => "deleted")),
  }),

  spec03("V03-PUSH-005.flat", "Creating a push configuration returns the flat form of 1.0.", {
    codec: overJsonRpc(answerOf("CreateTaskPushNotificationConfig", flat)),
  }),

  spec03("V03-PUSH-006.configs", "Listing push configurations returns an object with configs, as in 1.0.", {
    codec: overJsonRpc(answerOf("ListTaskPushNotificationConfigs", (configs) => ({ configs }))),
  }),

  spec03("V03-PUSH-007.any", "Reading an unknown push configuration returns another one of the task.", {
    operations: instead(
      ["GetTaskPushNotificationConfig"],
      "TaskNotFound",
      async (error, { request: { taskId }, ask }) => {
        const { configs: [first] = [] } = await ask("ListTaskPushNotificationConfigs", { taskId });
        if (!first) throw new A2AError("TaskNotFound", error.message);
        return { answer: first };
      },
    ),
  }),

  spec03("V03-PUSH-007.web-page", "A missing push configuration returns a web page.", {
    http: (serve) => async (request, reply) => {
      const body = await postedText(request);
      const isGet = /"method"\s*:\s*"tasks\/pushNotificationConfig\/get"/.test(body);
      const page = {
        status: 200,
        headers: { "Content-Type": "text/html" },
        body: "<!doctype html>\n<title>Oops</title>\n",
      };
      const isError = (text: string): boolean => /"error"\s*:/.test(text);
      return changeAnswers((answer) => (isGet && isError(String(answer.body)) ? page : answer))(serve)(request, reply);
    },
  }),
];
