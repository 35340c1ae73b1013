import { type AgentDefinition, artifact, type Layers, status } from "@assay/agents/making";
import { doing } from "../../stages/agents.ts";
import { until } from "../../stages/until.ts";
import { agent, answering, asking, word } from "../agents.ts";
import { needCommand } from "../commands.ts";
import type { ContractLab, Probe } from "../lab.ts";
import { headerOf, messageOf, namesState, optionIn, sends, textIn } from "../reading.ts";

/** The token that the authorization server of these agents issues. */
const issued = "contract-issued-9c31d0";

type Kind = "device" | "client" | "oidc";

/** An agent with its own authorization server, which agrees to everything at once. */
function guarded(kind: Kind): { readonly agent: AgentDefinition; readonly asked: string[] } {
  const asked: string[] = [];
  const answers: Readonly<Record<string, (base: string) => object>> = {
    "/oauth/device": (base) => ({
      device_code: "device-1",
      user_code: "ABCD-EFGH",
      verification_uri: `${base}/oauth/verify`,
      verification_uri_complete: `${base}/oauth/verify?user_code=ABCD-EFGH`,
      expires_in: 600,
      interval: 1,
    }),
    "/oauth/token": () => ({ access_token: issued, token_type: "Bearer", expires_in: 3_600 }),
    "/.well-known/openid-configuration": (base) => ({
      issuer: base,
      authorization_endpoint: `${base}/oauth/verify`,
      device_authorization_endpoint: `${base}/oauth/device`,
      token_endpoint: `${base}/oauth/token`,
      jwks_uri: `${base}/oauth/keys`,
    }),
  };
  const http: Layers["http"] = (serve) => (request, reply) => {
    const [path, answer] = Object.entries(answers).find(([each]) => request.path.endsWith(each)) ?? [];
    if (path === undefined || answer === undefined) return serve(request, reply);
    asked.push(path);
    const base = `http://${request.headers.host}${request.path.slice(0, -path.length)}`;
    return reply.send(200, { "Content-Type": "application/json" }, JSON.stringify(answer(base)));
  };
  const scheme = (base: string): object => {
    const tokenUrl = `${base}/agent/oauth/token`;
    const scopes = { use: "use the agent" };
    if (kind === "oidc")
      return {
        openIdConnectSecurityScheme: { openIdConnectUrl: `${base}/agent/.well-known/openid-configuration` },
      };
    const flows =
      kind === "device"
        ? { deviceCode: { deviceAuthorizationUrl: `${base}/agent/oauth/device`, tokenUrl, scopes } }
        : { clientCredentials: { tokenUrl, scopes } };
    return { oauth2SecurityScheme: { flows } };
  };
  const access: NonNullable<AgentDefinition["access"]> = {
    schemes: { login: { httpAuthSecurityScheme: { scheme: "Bearer" } } },
    challenge: 'Bearer realm="contract"',
    identify: ({ authorization }) => (authorization === `Bearer ${issued}` ? { name: "client" } : undefined),
  };
  const card: Layers["card"] = (before, baseUrl) => ({
    ...before,
    securitySchemes: { login: scheme(baseUrl) as never },
  });
  return { agent: agent(answering, { access, layers: { http, card } }), asked };
}

/** Logs in with the arguments that the help shows. */
async function logIn(lab: ContractLab, kind: Kind) {
  const help = await needCommand(lab, "auth", "login");
  const { agent: made, asked } = guarded(kind);
  const scene = await lab.scene(made);
  const id = optionIn(help, /^client-id$/);
  const secret = optionIn(help, /^client-secret$/);
  const more = [
    ...(id ? [id, "contract-client"] : []),
    ...(secret && kind === "client" ? [secret, "contract-client-secret"] : []),
  ];
  const run = await scene.run(["auth", "login", ...more], {
    env: { A2ACLI_CLIENT_ID: "contract-client", A2ACLI_CLIENT_SECRET: "contract-client-secret" },
  });
  return { scene, run, asked };
}

/** Checks that a login came as far as the token endpoint. */
const flow =
  (kind: Kind, first: string, name: string): Probe =>
  async (lab) => {
    const { run, asked } = await logIn(lab, kind);
    if (!asked.length && run.exit === 2) lab.notMeasured("the contract does not define the arguments of auth login");
    lab.expect(
      asked.includes(first) && (kind === "oidc" || (asked.includes("/oauth/token") && run.exit === 0)),
      `a login by the ${name}`,
      `${asked.length ? `requests to ${[...new Set(asked)].join(", ")}` : "no request to the authorization server"}, ${lab.describe(run)}`,
      `Add the ${name} to auth login.`,
      run.command,
    );
  };

/** AUTH_007 */
const storesTokens: Probe = async (lab) => {
  const { scene, run, asked } = await logIn(lab, "device");
  if (!asked.includes("/oauth/token")) lab.notMeasured("auth login got no token");
  const later = await scene.run(lab.send("hello"));
  await scene.close();
  lab.expect(
    later.calls(...sends).some((call) => headerOf(call, "authorization").includes(`Bearer ${issued}`)),
    "the stored token with the next call",
    lab.describe(later),
    "Attach the stored token to later calls.",
    later.command,
  );
  const open = lab.files().find(({ text, mode }) => text.includes(issued) && (mode & 0o077) !== 0);
  lab.expect(
    !open,
    "the token in no file that others can read",
    open ? `${lab.publishable(open.path)} has mode ${open.mode.toString(8)}` : "",
    "Store tokens with mode 0600, or in the key ring.",
    run.command,
  );
};

/** AUTH_011 */
const resumesAfterLogin: Probe = async (lab) => {
  const agreed = new AbortController();
  const skill = doing(async function* (turn) {
    if (!turn.task) return yield status("auth-required", "Agree at the login page.");
    await until(agreed.signal, 600_000, turn);
    yield artifact("word", word, { last: true });
    yield status("completed");
  });
  const scene = await lab.scene(agent(skill));
  const paused = await scene.run(lab.send("go"));
  const { id } = await scene.task();
  agreed.abort();
  const resumed = await scene.run(lab.send("I agreed", "--task-id", id));
  lab.expect(
    paused.exit === 0 && namesState(paused.output, "AUTH_REQUIRED"),
    "an end at AUTH_REQUIRED, with exit code 0",
    lab.describe(paused),
    "Stop at AUTH_REQUIRED and print the state.",
    paused.command,
  );
  lab.expect(
    /--task-id/.test(`${paused.output}${paused.errors}`),
    "the command to resume",
    "it is not in the output",
    "Print the command with --task-id.",
    paused.command,
  );
  lab.expect(
    resumed.exit === 0 && namesState(resumed.output, "COMPLETED"),
    "the completed task after the login",
    lab.describe(resumed),
    "Continue the task with --task-id, and wait until it ends.",
    resumed.command,
  );
};

/** CHAT_001 */
const chats: Probe = async (lab) => {
  await needCommand(lab, "chat");
  const scene = await lab.scene(agent(asking));
  const run = await scene.run(["chat"], { input: "book a table\nfour\n" });
  await scene.close();
  const [first, second] = run.calls(...sends).map((call) => messageOf(call));
  if (!first) lab.notMeasured("chat may need a terminal, which Assay does not have");
  lab.expect(
    second !== undefined && textIn(second, "taskId") !== "",
    "a second turn that continues the task of the first",
    second ? "no task id in the second message" : `one message, ${lab.describe(run)}`,
    "Carry the context, and the task while it is interrupted, from turn to turn.",
    run.command,
  );
};

export const loginProbes = {
  A2ACLI_AUTH_005: flow("device", "/oauth/device", "device-code flow"),
  A2ACLI_AUTH_006: flow("client", "/oauth/token", "client-credentials flow"),
  A2ACLI_AUTH_007: storesTokens,
  A2ACLI_AUTH_009: async (lab: ContractLab) => lab.notMeasured("the contract names no option for a client certificate"),
  A2ACLI_AUTH_010: flow("oidc", "/.well-known/openid-configuration", "OpenID Connect configuration"),
  A2ACLI_AUTH_011: resumesAfterLogin,
  A2ACLI_CHAT_001: chats,
};
