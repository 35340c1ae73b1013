import { startTestbed } from "@assay/agents";
import { test } from "vitest";
test("smoke", async () => {
  const t = await startTestbed({ host: "127.0.0.1", port: 0, version: "0", timeScale: 0.05, onError: console.error });
  const post = async (path: string, body: unknown, headers: Record<string, string> = {}) => {
    const r = await fetch(t.url + path, { method: "POST", headers: { "Content-Type": "application/json", ...headers }, body: JSON.stringify(body) });
    console.log("POST", path, r.status, (await r.text()).slice(0, 700));
  };
  const get = async (path: string, headers: Record<string, string> = {}) => { const r = await fetch(t.url + path, { headers }); console.log("GET", path, r.status, (await r.text()).replaceAll(/\s+/g, " ").slice(0, 500)); };
  const m03 = { kind: "message", messageId: "m", role: "user", parts: [{ kind: "text", text: "task-lifecycle hi" }] };
  await post("/spec03", { jsonrpc: "2.0", id: 1, method: "message/send", params: { message: m03 } });
  await post("/spec", { jsonrpc: "2.0", id: 1, method: "message/send", params: { message: m03 } });
  await post("/spec", { jsonrpc: "2.0", id: 1, method: "SendMessage", params: {} });
  await post("/spec03", { jsonrpc: "2.0", id: 1, method: "message/stream", params: { message: { ...m03, parts: [{ kind: "text", text: "streaming x" }] } } });
  await post("/spec02", { jsonrpc: "2.0", id: 1, method: "message/send", params: { message: m03 } });
  await post("/spec01", { jsonrpc: "2.0", id: 1, method: "tasks/send", params: { id: "my-task", message: { role: "user", parts: [{ type: "text", text: "task-lifecycle hi" }] } } });
  await post("/spec01", { jsonrpc: "2.0", id: 1, method: "tasks/get", params: { id: "my-task" } });
  await post("/spec01/subscribe", { method: "tasks/sendSubscribe", params: { id: "t2", message: { role: "user", parts: [{ type: "text", text: "streaming hi" }] } } });
  await post("/spec03/v1/message:send", { message: { messageId: "m", role: "ROLE_USER", content: [{ text: "task-lifecycle hi" }] } });
  await post("/spec/v1/message:send", { message: { messageId: "m", role: "ROLE_USER", content: [{ text: "message-only hi" }] } });
  await post("/spec/v1/message:send", { message: { messageId: "m", role: "ROLE_USER", parts: [{ text: "message-only hi" }] } }, { "A2A-Version": "1.0" });
  for (const p of ["/spec03/.well-known/agent-card.json", "/spec02/.well-known/agent.json", "/spec01/.well-known/agent.json", "/spec01/.well-known/agent-card.json", "/mutants", "/secure/.well-known/agent-card.json"]) await get(p);
  await get("/secure/tasks", { "A2A-Version": "1.0" });
  await get("/secure/tasks", { "A2A-Version": "1.0", Authorization: "Bearer alice-token" });
  await get("/secure/tasks", { "A2A-Version": "1.0", "X-API-Key": "bob-key" });
  await t.close(0);
});
