import { describe, expect, test } from "vitest";
import {
  ask,
  aTimestamp,
  bindings,
  refusal,
  refusedAs,
  say,
  taskFrom,
  unknownTask,
  useTestbed,
} from "../../fixtures/testbed.fixture.ts";

const bed = useTestbed();
const spec = () => `${bed.url}/spec`;

describe.each(bindings)("over %s", (binding) => {
  describe("errors have the exact codes", () => {
    const message = (more: object) => ({ message: say("multi-turn go on", more) });

    test.each<[string, Parameters<typeof refusal>[2], object, Parameters<typeof refusedAs>[1]]>([
      ["error-task-not-found", "GetTask", { id: unknownTask }, "TaskNotFound"],
      ["error-cancel-not-found", "CancelTask", { id: unknownTask }, "TaskNotFound"],
      ["error-subscribe-not-found", "SubscribeToTask", { id: unknownTask }, "TaskNotFound"],
      ["error-send-invalid-task", "SendMessage", message({ taskId: unknownTask }), "TaskNotFound"],
      ["error-stream-invalid-task", "SendStreamingMessage", message({ taskId: unknownTask }), "TaskNotFound"],
      [
        "error-push-not-supported (create)",
        "CreateTaskPushNotificationConfig",
        { taskId: unknownTask, url: "http://127.0.0.1:9/hook" },
        "PushNotificationNotSupported",
      ],
      [
        "error-push-not-supported (get)",
        "GetTaskPushNotificationConfig",
        { taskId: unknownTask, id: "x" },
        "PushNotificationNotSupported",
      ],
      [
        "error-push-not-supported (list)",
        "ListTaskPushNotificationConfigs",
        { taskId: unknownTask },
        "PushNotificationNotSupported",
      ],
      [
        "error-push-not-supported (delete)",
        "DeleteTaskPushNotificationConfig",
        { taskId: unknownTask, id: "x" },
        "PushNotificationNotSupported",
      ],
      [
        "error-push-not-supported (inside a send)",
        "SendMessage",
        {
          ...message({}),
          configuration: { taskPushNotificationConfig: { url: "http://127.0.0.1:9/hook" } },
        },
        "PushNotificationNotSupported",
      ],
    ])("%s", async (_name, operation, request, error) => {
      const before = (await ask(spec(), binding, "ListTasks", {})).totalSize;
      expect(await refusal(spec(), binding, operation, request)).toEqual(refusedAs(binding, error));
      expect((await ask(spec(), binding, "ListTasks", {})).totalSize).toBe(before);
    });

    test("error-cancel-terminal, error-send-terminal and a subscription to what has ended", async () => {
      for (const text of ["task-lifecycle x", "task-failure x", "rejected x"]) {
        const task = await taskFrom(spec(), binding, text);
        const { id } = task;
        const before = (await ask(spec(), binding, "ListTasks", {})).totalSize;
        expect(await refusal(spec(), binding, "CancelTask", { id })).toEqual(refusedAs(binding, "TaskNotCancelable"));
        const follow = message({ taskId: id });
        const unsupported = refusedAs(binding, "UnsupportedOperation");
        expect(await refusal(spec(), binding, "SendMessage", follow)).toEqual(unsupported);
        expect(await refusal(spec(), binding, "SendStreamingMessage", follow)).toEqual(unsupported);
        expect(await refusal(spec(), binding, "SubscribeToTask", { id })).toEqual(unsupported);
        expect(await ask(spec(), binding, "GetTask", { id })).toEqual(task);
        expect((await ask(spec(), binding, "ListTasks", {})).totalSize).toBe(before);
      }
    });

    test("a canceled task cannot be canceled again", async () => {
      const { id } = await taskFrom(spec(), binding, "task-cancel x", { returnImmediately: true });
      await ask(spec(), binding, "CancelTask", { id });
      expect(await refusal(spec(), binding, "CancelTask", { id })).toEqual(refusedAs(binding, "TaskNotCancelable"));
    });

    test("a task that waits for input can be canceled", async () => {
      const { id } = await taskFrom(spec(), binding, "multi-turn x");
      const { status } = await ask(spec(), binding, "CancelTask", { id });
      expect(status).toEqual({ state: "TASK_STATE_CANCELED", timestamp: aTimestamp });
    });

    test("a follow-up in another context is refused, and the task stays as it is", async () => {
      const task = await taskFrom(spec(), binding, "multi-turn x");
      const request = message({ taskId: task.id, contextId: "elsewhere" });
      expect(await refusal(spec(), binding, "SendMessage", request)).toEqual(refusedAs(binding, "InvalidParams"));
      expect(await ask(spec(), binding, "GetTask", { id: task.id })).toEqual(task);
    });

    test("a message to a task at work is refused", async () => {
      const { id } = await taskFrom(spec(), binding, "task-cancel x", { returnImmediately: true });
      expect(await refusal(spec(), binding, "SendMessage", message({ taskId: id }))).toEqual(
        refusedAs(binding, "UnsupportedOperation"),
      );
      await ask(spec(), binding, "CancelTask", { id });
    });
  });
});
