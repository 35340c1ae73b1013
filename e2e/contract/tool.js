/**
 * A command-line client that satisfies the a2a-cli contract in small parts. With `broken:SEND_002` as its first argument, it
 * breaks that requirement; each place is where `broken(…)` is asked. With `misses:bare-host` it misses one part of a requirement, where
 * `misses(…)` is asked. With `hangs:completion` that command never ends.
 * With `odd:all` it is unusual in every way that the contract allows: indented JSON, states as on the wire, no exit codes but 0, 1 and 2,
 * and a wait by stream.
 */
import { randomUUID } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import {
  call,
  cardUrlOf,
  chooseInterface,
  follow,
  readCard,
  signatureOf,
  ToolError,
  withScheme,
} from "./connection.js";
import { applied, cardText, ended, partLines, paused, shortState, taskText } from "./rendering.js";
import { milliseconds, readWords, settingsOf } from "./settings.js";

const [first = "", ...others] = process.argv.slice(2);
const [, how, fault] = /^(broken|hangs|misses|odd):([\w-]+)$/.exec(first) ?? [];
const words = fault === undefined ? process.argv.slice(2) : others;
const broken = (id) => how === "broken" && id === fault;
const misses = (part) => how === "misses" && part === fault;
const isOdd = how === "odd";
const json = (value) => (isOdd ? JSON.stringify(value, null, 2) : JSON.stringify(value));
const { env } = process;

const print = (line) => process.stdout.write(`${line}\n`);
const printParts = ({ parts }) => {
  for (const line of parts.flatMap((part) => partLines(part, broken))) print(line);
};
const complain = (line) => process.stderr.write(`${line}\n`);
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const tokenFile = join(env.HOME ?? "", isOdd ? "Library/Application Support" : ".config", "a2a-cli", "token");
const exits = { USAGE: 2, CARD_NOT_FOUND: 3, UNREACHABLE: 3, CREDENTIALS_MISSING: 4, AUTH_FAILED: 4, TIMEOUT: 5 };
const commands = {
  auth: ["login"],
  card: ["get"],
  config: ["show"],
  task: ["get", "cancel", "list", "subscribe", "download", "push-config"],
};

/** Commands that a broken tool does not have. */
const commandOf = {
  CONFORM_001: "conformance",
  DEMO_SERVER_001: "demo-server",
  CHAT_001: "chat",
  CONFIG_001: "config show",
  DOWNLOAD_001: "task download",
  PUSH_001: "task push-config",
  AUTH_005: "auth login",
};

class Tool {
  constructor({ args, options, parts }) {
    Object.assign(this, { args, options, parts });
    const setting = settingsOf(options, env, broken);
    this.setting = setting;
    this.value = (name) => setting(name)[0];
    this.isJson = this.value("output") === "json";
    this.debug = options.debug && !broken("OUT_007") ? (text) => complain(`debug: ${this.masked(text)}`) : () => {};
  }

  masked(text) {
    const secrets = [
      this.value("bearer"),
      this.value("api-key"),
      ...this.options["svc-param"].map((each) => each.split(":")[1]),
    ];
    return broken("AUTH_004") ? text : secrets.filter(Boolean).reduce((now, each) => now.replaceAll(each, "…"), text);
  }

  async open() {
    if (this.options.insecure) {
      process.env.NODE_TLS_REJECT_UNAUTHORIZED = "0";
      // Node warns by itself, too.
      process.removeAllListeners("warning");
      if (!broken("AUTH_003")) complain("Warning: certificates are not verified (--insecure).");
    }
    const headers =
      broken("AUTH_008") && this.value("bearer") ? { Authorization: `Bearer ${this.value("bearer")}` } : {};
    const given = this.value("agent-card");
    const reference = given === undefined || misses("bare-host") ? given : withScheme(given, isOdd);
    this.reference = reference;
    this.card = await readCard(reference, { broken, debug: this.debug, headers });
    const preferred = broken("TX_002") ? [] : this.options.transport;
    this.on = chooseInterface(this.card, { preferred, broken, version: this.value("a2a-version") });
    this.context = { headers: this.headers(), query: this.query(), debug: this.debug, broken };
    this.debug(`headers ${JSON.stringify(this.context.headers)}`);
  }

  headers() {
    const schemes = Object.values(this.card.securitySchemes ?? {});
    const key = schemes.find((each) => each.apiKeySecurityScheme)?.apiKeySecurityScheme;
    const takesToken = schemes.some((each) => !each.apiKeySecurityScheme);
    const stored = broken("AUTH_007") ? undefined : storedToken();
    const token = this.value("bearer") ?? stored;
    const required = (this.card.capabilities?.extensions ?? []).filter((each) => each.required).map(({ uri }) => uri);
    return {
      ...(!broken("VER_001") && { "A2A-Version": this.on.protocolVersion }),
      ...(takesToken && token && !broken("AUTH_001") && { Authorization: `Bearer ${token}` }),
      ...(this.apiKeyIn("header") && { [key.name]: this.value("api-key") }),
      ...(this.apiKeyIn("cookie") && !misses("cookie-key") && { Cookie: `${key.name}=${this.value("api-key")}` }),
      ...(required.length && !broken("VER_002") && { "A2A-Extensions": required.join(",") }),
      ...Object.fromEntries(this.options["svc-param"].map((each) => each.split(":"))),
    };
  }

  /** The scheme of the API key, if the card wants it there and the caller has one. */
  apiKeyIn(location) {
    const schemes = Object.values(this.card.securitySchemes ?? {}).flatMap((each) => each.apiKeySecurityScheme ?? []);
    return this.value("api-key") ? schemes.find((each) => each.location === location) : undefined;
  }

  query() {
    const key = this.apiKeyIn("query");
    return key && !misses("query-key") ? { [key.name]: this.value("api-key") } : {};
  }

  ask(operation, params) {
    return call(this.on, operation, params, this.context);
  }

  get streams() {
    return this.card.capabilities?.streaming === true || broken("VER_003");
  }

  message() {
    const given = this.args.slice(1).map((text) => ({ kind: "text", value: text }));
    const parts = [...given, ...this.parts].map(({ kind, value, mediaType }) => {
      const type = mediaType && !broken("SEND_005") ? { mediaType } : {};
      if (kind === "text") return { text: value, ...type };
      const text = readFileSync(value === "-" ? 0 : value);
      if (kind === "data") return { data: JSON.parse(text), ...type };
      return { raw: text.toString("base64"), filename: basename(value), ...type };
    });
    if (!parts.length) throw new ToolError("A2ACLI_ERR_USAGE", "There is nothing to send");
    const ids = {
      ...(this.value("context-id") && !broken("INTERACT_001") && { contextId: this.value("context-id") }),
      ...(this.value("task-id") && !broken("INTERACT_002") && { taskId: this.value("task-id") }),
      ...(broken("INTERACT_003") && { contextId: randomUUID() }),
    };
    return { messageId: randomUUID(), role: "ROLE_USER", parts, ...ids };
  }

  async send() {
    const message = this.message();
    if (misses("mismatched-context") && message.taskId)
      message.contextId = (await this.ask("GetTask", { id: message.taskId })).contextId;
    if (broken("SEND_001")) message.parts = [{ text: "something else" }];
    const configuration = { returnImmediately: this.options.async === true && !broken("SEND_002") };
    if (this.options.stream && !broken("SEND_003"))
      return this.stream("SendStreamingMessage", { message, configuration });
    if (broken("TASK_POLL_004") && this.streams) return this.stream("SendStreamingMessage", { message });
    const isStreamed = isOdd && this.streams && !this.options.async && this.on.protocolBinding !== "GRPC";
    if (isStreamed) return this.finish(await this.waitByStream(message));
    const answer = await this.ask("SendMessage", { message, configuration }).catch((error) => {
      if (broken("VER_002") && error.code.startsWith("Extension"))
        return { message: { parts: [{ text: error.message }] } };
      throw error;
    });
    this.finish(answer);
  }

  /** Follows the stream of a message, and polls when it breaks. */
  async waitByStream(message) {
    let task;
    try {
      for await (const event of follow(this.on, "SendStreamingMessage", { message }, this.context)) {
        if (event.message) return event;
        task = applied(task, event);
        // The stream of an interrupted task may stay open. That of a continued one begins with its old state.
        if (paused(task.status.state) && (event.statusUpdate || !message.taskId)) break;
      }
    } catch (error) {
      if (!task) throw error;
    }
    while (!ended(task.status.state) && !paused(task.status.state)) {
      await pause(200);
      task = await this.ask("GetTask", { id: task.id });
    }
    return { task };
  }

  finish(answer) {
    const { task, message } = answer;
    if (this.isJson && broken("OUT_006") && this.options.async)
      return print(JSON.stringify({ state: task.status.state }));
    if (this.isJson) return print(broken("OUT_002") ? `${json(answer)}\n${json(answer)}` : json(answer));
    if (message) return printParts(message);
    this.show(task);
  }

  show(task) {
    if (broken("INTERACT_005")) keep("last", `taskId=${task.id}`, 0o600);
    if (this.isJson) print(json(broken("TASK_GET_001") ? { task } : task));
    else for (const line of taskText(task, broken, { ...this.options, isOdd })) print(line);
    const { state } = task.status;
    if (state === "TASK_STATE_COMPLETED" || broken("EXIT_002")) return;
    complain(`Warning: the task is ${shortState(state)}.`);
    if (paused(state) && !broken("INTERACT_004") && !broken("AUTH_011"))
      complain(`Resume: a2a send --task-id ${task.id} "<reply>"`);
  }

  async stream(operation, params) {
    if (!this.streams) return this.finish(await this.ask("SendMessage", params));
    let task;
    try {
      for await (const event of follow(this.on, operation, params, this.context)) {
        task = applied(task, event);
        if (this.isJson) this.line(event);
        else if (event.message) printParts(event.message);
      }
    } catch (error) {
      if (!broken("TASK_SUBSCRIBE_002") || operation !== "SubscribeToTask") throw error;
    } finally {
      process.stdout.write(this.held ?? "");
    }
    if (task && !this.isJson && !misses("stream-end")) this.show(task);
  }

  /** Prints an event at once, or holds it back as a tool that does not flush. */
  line(event) {
    const text = `${JSON.stringify(event)}\n`;
    if (broken("OUT_003")) this.held = `${this.held ?? ""}${text}`;
    else process.stdout.write(text);
  }

  async get(id) {
    const history = this.options.history === undefined ? {} : { historyLength: Number(this.options.history) };
    const until = Date.now() + milliseconds(this.value("timeout") ?? "10m");
    const interval = broken("TASK_POLL_002") ? 1 : milliseconds(this.value("poll-interval") ?? "200ms");
    let task = await this.ask("GetTask", { id, ...history });
    const isWaiting = ({ status: { state } }) =>
      !ended(state) &&
      (broken("TASK_POLL_003") || !paused(state)) &&
      !(broken("TASK_POLL_003") && /UNSPECIFIED/.test(state));
    while (this.options.wait && !broken("TASK_POLL_001") && isWaiting(task)) {
      if (Date.now() > until)
        throw new ToolError(
          broken("TASK_POLL_002") ? "A2ACLI_ERR_INTERNAL" : "A2ACLI_ERR_TIMEOUT",
          "The wait took too long",
        );
      await pause(interval);
      task = await this.ask("GetTask", { id, ...history });
    }
    this.show(task);
  }

  async list() {
    const wanted = this.options.status?.toUpperCase().replace(/^(TASK_STATE_)?/, "TASK_STATE_");
    const filter = {
      ...(this.value("context-id") && { contextId: this.value("context-id") }),
      ...(wanted && !broken("TASK_LIST_001") && { status: wanted }),
      ...(this.options["page-token"] && { pageToken: this.options["page-token"] }),
    };
    const page = await this.ask("ListTasks", filter);
    if (this.isJson) return print(json(page));
    for (const { id, contextId, status } of page.tasks) print(`Task: ${id} ${contextId} ${shortState(status.state)}`);
    if (page.nextPageToken) print(`Next page: ${page.nextPageToken}`);
  }

  async download(id) {
    const { artifacts } = await this.ask("GetTask", { id });
    for (const { filename, raw } of artifacts.flatMap(({ parts }) => parts))
      if (raw !== undefined) writeFileSync(basename(filename), Buffer.from(raw, "base64"));
  }

  async push([verb, taskId, id]) {
    if (!this.card.capabilities?.pushNotifications && !misses("push-capability"))
      throw new ToolError("PushNotificationNotSupportedError", "The agent sends no notifications");
    const { url } = this.options;
    const asked = {
      create: ["CreateTaskPushNotificationConfig", { taskId, url }],
      get: ["GetTaskPushNotificationConfig", { taskId, id }],
      list: ["ListTaskPushNotificationConfigs", { taskId }],
      delete: ["DeleteTaskPushNotificationConfig", { taskId, id }],
    }[verb];
    print(JSON.stringify((await this.ask(...asked)) ?? {}));
  }

  async getCard() {
    const url = /^http/.test(this.reference) ? cardUrlOf(this.reference) : this.reference;
    const card = this.options.extended ? await this.extended() : this.card;
    if (this.options.validate && !["version", "skills", "name"].every((each) => each in card))
      throw new ToolError("A2ACLI_ERR_CARD_INVALID", "The card has no version or skills");
    if (this.isJson) return print(json(card));
    for (const line of cardText(card, await signatureOf(card, url, broken))) print(line);
  }

  extended() {
    if (!this.card.capabilities?.extendedAgentCard)
      throw new ToolError("UnsupportedOperationError", "There is no extended card");
    return this.ask("GetExtendedAgentCard", {});
  }

  async logIn() {
    const [{ oauth2SecurityScheme: oauth, openIdConnectSecurityScheme: oidc }] = Object.values(
      this.card.securitySchemes,
    );
    if (oidc && broken("AUTH_010")) throw new ToolError("A2ACLI_ERR_INTERNAL", "OpenID Connect is unknown");
    const found = oidc ? await (await fetch(oidc.openIdConnectUrl)).json() : undefined;
    const { deviceCode, clientCredentials } = oauth?.flows ?? {};
    if (clientCredentials && broken("AUTH_006")) throw new ToolError("A2ACLI_ERR_INTERNAL", "The flow is unknown");
    const device = found?.device_authorization_endpoint ?? deviceCode?.deviceAuthorizationUrl;
    if (device) {
      const { verification_uri: uri, user_code: code } = await (await fetch(device, { method: "POST" })).json();
      complain(`Open ${uri} and enter ${code}.`);
    }
    const tokens = found?.token_endpoint ?? (deviceCode ?? clientCredentials).tokenUrl;
    const { access_token: token } = await (await fetch(tokens, { method: "POST" })).json();
    keep("token", token, 0o600);
    print("Login: done");
  }

  async chat() {
    let task;
    for (const text of readFileSync(0, "utf8").split("\n").filter(Boolean)) {
      const ids = task && paused(task.status.state) ? { taskId: task.id, contextId: task.contextId } : {};
      const message = { messageId: randomUUID(), role: "ROLE_USER", parts: [{ text }], ...ids };
      const answer = await this.ask("SendMessage", { message });
      ({ task } = answer);
      this.finish(answer);
    }
  }

  async conform() {
    await this.ask("ListTasks", {}).catch(() => {});
    print("Result: the agent answers");
  }

  showConfiguration() {
    for (const name of ["agent-card", "output", "bearer"]) {
      const [value = "none", source] = this.setting(name);
      print(`${name}: ${name === "bearer" && value !== "none" ? "…" : value} (${source})`);
    }
  }
}

const storedToken = () => {
  try {
    return readFileSync(tokenFile, "utf8");
  } catch {
    return undefined;
  }
};

function keep(name, text, mode) {
  const file = join(dirname(tokenFile), name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text, { mode });
}

const help = (name) => `Usage: a2a ${name || "<command>"} [options]

  --text, --file, --data <value>  a part of the message
  --media-type <type>             media type of the part before it
  --output <text|json>            ${broken("CLI_001") ? "output format" : "output format (default: text)"}
  --poll-interval <duration>      time between two reads (${broken("CLI_001") ? "short" : "default: 200ms"})
  --svc-param <k:v>               service parameter, sent as a header
  --status <state>                list only tasks in this state
  --page-token <token>            next page of a list
  --url <url>                     address of a webhook
  --bearer, --api-key <value>     credentials; other users may see them in the process list and the shell history,
                                  so prefer A2ACLI_BEARER and A2ACLI_API_KEY
`;

function demo() {
  const server = createServer((_, response) => response.end(JSON.stringify({ name: "Demo", supportedInterfaces: [] })));
  server.listen(0, "127.0.0.1", () => print(`Address: http://127.0.0.1:${server.address().port}`));
}

async function main() {
  const { args, options, parts } = readWords(words, broken);
  const [one = "help", two] = args;
  const isGroup = commands[one]?.includes(two) ?? false;
  const name = isGroup ? `${one} ${two}` : one;
  if (how === "hangs" && name === fault) return setInterval(() => {}, 1_000);
  const isGated = options.stream || options.extended || ["task subscribe", "task push-config"].includes(name);
  if ((misses("gated-operations") && isGated) || (misses("task-get") && name === "task get"))
    throw new ToolError("A2ACLI_ERR_USAGE", "Unknown command or option");
  if (misses("conventional-path")) writeFileSync(join(env.HOME, "settings"), "output=text");
  if (isOdd) writeFileSync(join(tmpdir(), "last-run"), name);
  if (name === commandOf[fault]) throw new ToolError("A2ACLI_ERR_USAGE", `Unknown command ${name}`);
  if (options.version) return print("a2a 1.2.3");
  if (options.help || name === "help") return print(help(args.length ? name : ""));
  if (name === "completion") {
    if (two !== "bash" || broken("CLI_002")) throw new ToolError("A2ACLI_ERR_USAGE", `Unknown shell ${two}`);
    return print("complete -W 'send task card' a2a");
  }
  if (name === "demo-server") return demo();
  const tool = new Tool({ args, options, parts });
  if (name === "config show") return tool.showConfiguration();
  const known = {
    send: () => tool.send(),
    chat: () => tool.chat(),
    conformance: () => tool.conform(),
    "auth login": () => tool.logIn(),
    "card get": () => tool.getCard(),
    "task get": () => tool.get(args[2]),
    "task list": () => tool.list(),
    "task download": () => tool.download(args[2]),
    "task push-config": () => tool.push(args.slice(2)),
    "task cancel": async () =>
      tool.show(await tool.ask("CancelTask", { id: broken("TASK_CANCEL_001") ? "other" : args[2] })),
    "task subscribe": () => {
      if (!tool.streams) throw new ToolError("UnsupportedOperationError", "The agent does not stream");
      return tool.stream("SubscribeToTask", { id: broken("TASK_SUBSCRIBE_001") ? "other" : args[2] });
    },
  }[name];
  if (!known) throw new ToolError("A2ACLI_ERR_USAGE", `Unknown command ${name}`);
  await tool.open();
  await known();
}

await main().catch((error) => {
  const { code = "A2ACLI_ERR_INTERNAL", message, hint = null } = error;
  if (/\bjson\b/.test(words.join(" "))) print(JSON.stringify({ error: { code, message, hint, a2aCode: null } }));
  else complain(`Error: ${code}: ${message}\nHint: ${hint}`);
  const isReserved = isOdd && code !== "A2ACLI_ERR_USAGE";
  process.exitCode = broken("EXIT_001") || isReserved ? 1 : (exits[code.replace("A2ACLI_ERR_", "")] ?? 1);
});
