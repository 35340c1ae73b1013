import { describe, expect, test } from "vitest";
import { startReceiver } from "../../fixtures/receiver.fixture.ts";
import {
  ask,
  bindings,
  blamedFields,
  expectNormalService,
  plain,
  refusal,
  refusedAs,
  sending,
  taskFrom,
  until,
} from "../../fixtures/testbed.fixture.ts";
import { usePlainPosts } from "./plain-posts.fixture.ts";

const { bed, at, post, expectRefused } = usePlainPosts();

describe.each(bindings)("webhooks over %s", (binding) => {
  const notified = (url: string) =>
    taskFrom(at("full"), binding, "task-lifecycle x", { taskPushNotificationConfig: { url } });

  test("a hanging webhook blocks neither the task nor the server", async () => {
    const hanging = await startReceiver(() => {});
    const { id: taskId, status } = await notified(hanging.url);
    expect(status.state).toBe("TASK_STATE_COMPLETED");
    await hanging.arrived(1);
    await expectNormalService(bed);
    const { configs } = await ask(at("full"), binding, "ListTaskPushNotificationConfigs", { taskId });
    const config = { taskId, id: configs![0]!.id! };
    expect(await ask(at("full"), binding, "DeleteTaskPushNotificationConfig", config)).toEqual({});
    // One notification at a time: the others wait for the answer to the first.
    expect(hanging.notifications.length).toBe(1);
  });

  test("redirects of a webhook are not followed", async () => {
    const redirecting = await startReceiver((_n, response) =>
      response.writeHead(307, { Location: "/elsewhere" }).end(),
    );
    const { id, status } = await notified(redirecting.url);
    expect(status.state).toBe("TASK_STATE_COMPLETED");
    // After three consecutive failures the server stops calling the webhook, so it does not send the fourth.
    const letters = () => plain(at(`full/dead-letters?taskId=${id}`));
    await until(letters, ({ text }) => JSON.parse(text).deadLetters.length === 4);
    expect(redirecting.notifications.map(({ path }) => path)).toEqual(["/hook", "/hook", "/hook"]);
    await expectNormalService(bed);
  });

  test.each(["http://127.0.0.1:1/nobody", "http://does-not-exist.invalid/hook", "https://127.0.0.1:1/"])(
    "the unreachable webhook %s does not affect the task or the server",
    async (url) => {
      const { status } = await notified(url);
      expect(status.state).toBe("TASK_STATE_COMPLETED");
      await expectNormalService(bed);
    },
  );

  test("an invalid response of a webhook does not affect the task or the server", async () => {
    const rude = await startReceiver((_n, response) => response.socket!.end("NONSENSE\r\n\r\n"));
    const { status } = await notified(rude.url);
    expect(status.state).toBe("TASK_STATE_COMPLETED");
    await rude.arrived(1);
    await expectNormalService(bed);
  });

  test("the server rejects line breaks in webhook tokens and credentials, which could inject headers", async () => {
    const { id: taskId } = await taskFrom(at("full"), binding, "multi-turn x");
    const url = "http://127.0.0.1:9/hook";
    for (const [field, config] of [
      ["token", { token: "a\r\nX-Injected: 1" }],
      ["token", { token: "a\nb" }],
      ["token", { token: "nul\u0000" }],
      ["token", { token: "über" }],
      ["authentication.credentials", { authentication: { scheme: "Bearer", credentials: "a\r\n\r\nGET / HTTP/1.1" } }],
      ["authentication.scheme", { authentication: { scheme: "Bearer\r\nX: 1", credentials: "c" } }],
    ] as const) {
      const sent = { taskId, url, ...config };
      const answer =
        binding === "JSONRPC"
          ? await post(
              "full",
              JSON.stringify({ jsonrpc: "2.0", id: "abc", method: "CreateTaskPushNotificationConfig", params: sent }),
            )
          : await post(`full/tasks/${taskId}/pushNotificationConfigs`, JSON.stringify(sent));
      await expectRefused(binding, answer, "InvalidParams", "abc");
      expect(blamedFields(answer.text)).toEqual([field]);
      const inline = sending("task-lifecycle x", { taskPushNotificationConfig: { url, ...config } });
      expect(await refusal(at("full"), binding, "SendMessage", inline)).toEqual(refusedAs(binding, "InvalidParams"));
    }
    const { configs } = await ask(at("full"), binding, "ListTaskPushNotificationConfigs", { taskId });
    expect(configs).toEqual([]);
  });
});
