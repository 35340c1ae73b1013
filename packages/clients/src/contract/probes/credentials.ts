import { agent, answering, word } from "../agents.ts";
import type { Probe } from "../lab.ts";
import { headerOf, helpLine, sends } from "../reading.ts";
import type { ToolRun } from "../scene.ts";
import { apiKey, apiKeyHeader, apiKeyHolders, apiKeyIn, apiKeyName, bearerHolders, token } from "./schemes.ts";

const sentIn = (run: ToolRun, header: string): string =>
  run.calls(...sends).flatMap((call) => headerOf(call, header))[0] ?? "no such header";

/** AUTH_001 */
const attaches: Probe = async (lab) => {
  const scene = await lab.scene(agent(answering, { access: bearerHolders() }));
  const keyed = await lab.scene(agent(answering, { access: apiKeyHolders() }));
  const bearer = await scene.run(lab.send("hello", "--bearer", token));
  const fromEnv = await scene.run(lab.send("hello"), { env: { A2ACLI_BEARER: token } });
  const key = await keyed.run(lab.send("hello", "--api-key", apiKey));
  const keyFromEnv = await keyed.run(lab.send("hello"), { env: { A2ACLI_API_KEY: apiKey } });
  const open = await lab.scene(agent(answering));
  const param = await open.run(lab.send("hello", "--svc-param", "x-trace-id:abc123"));
  const help = (await lab.run(["send", "--help"])).output;
  for (const each of [scene, keyed, open]) await each.close();
  for (const [run, header, value, fix] of [
    [bearer, "Authorization", `Bearer ${token}`, "Send --bearer as the declared scheme says."],
    [key, apiKeyHeader, apiKey, "Send --api-key in the header that the card names."],
    [fromEnv, "Authorization", `Bearer ${token}`, "Read A2ACLI_BEARER."],
    [keyFromEnv, apiKeyHeader, apiKey, "Read A2ACLI_API_KEY."],
    [param, "x-trace-id", "abc123", "Send --svc-param k:v as a header."],
  ] as const)
    lab.expect(
      run.exit === 0 && sentIn(run, header) === value,
      `the header ${header} with the value`,
      run.calls(...sends).length ? sentIn(run, header) : lab.describe(run),
      fix,
      run.command,
    );
  for (const place of ["query", "cookie"] as const) {
    const scene = await lab.scene(agent(answering, { access: apiKeyIn(place) }));
    const run = await scene.run(lab.send("hello", "--api-key", apiKey));
    await scene.close();
    const sent = run
      .calls(...sends)
      .map((call) =>
        place === "query"
          ? new URL(call.exchange.http.request.url).searchParams.get(apiKeyName)
          : new RegExp(`(?:^|;\\s*)${apiKeyName}=([^;]*)`).exec(headerOf(call, "cookie").join("; "))?.[1],
      );
    lab.expect(
      sent.length > 0 && sent.every((each) => each === apiKey),
      `the API key in the ${place === "query" ? "query parameter" : "cookie"} that the card names`,
      sent.length ? "it is not there" : lab.describe(run),
      "Send --api-key where the scheme on the card says.",
      run.command,
    );
  }
  const line = helpLine(help, "--svc-param") ?? "";
  lab.expect(
    !/auth|credential|login/i.test(line) || /\bnot\b|\bnever\b/i.test(line),
    "--svc-param not documented as a way to log in",
    line.trim(),
    "Describe --svc-param as a service parameter.",
    lab.commandLine("send", "--help"),
  );
};

/** AUTH_002 */
const prefersFlags: Probe = async (lab) => {
  const scene = await lab.scene(agent(answering, { access: bearerHolders() }));
  const both = await scene.run(lab.send("hello", "--bearer", token), { env: { A2ACLI_BEARER: "another-token" } });
  const variable = await scene.run(lab.send("hello"), { env: { A2ACLI_BEARER: token } });
  await scene.close();
  lab.expect(
    sentIn(variable, "authorization") === `Bearer ${token}`,
    "the token of A2ACLI_BEARER",
    sentIn(variable, "authorization"),
    "Read A2ACLI_BEARER.",
    variable.command,
  );
  lab.expect(
    sentIn(both, "authorization") === `Bearer ${token}`,
    "the token of the flag, not of the variable",
    sentIn(both, "authorization"),
    "Let the flag win.",
    both.command,
  );
  const help = (await Promise.all([lab.run(["--help"]), lab.run(["send", "--help"])]))
    .map(({ output }) => output)
    .join("\n");
  const isDocumented =
    ["A2ACLI_BEARER", "A2ACLI_API_KEY"].every((name) => help.includes(name)) &&
    /process (list|table)|shell history/i.test(help);
  if (!isDocumented)
    lab.notMeasured("the help does not warn of credentials in flags; Assay does not read other documentation");
};

/** AUTH_003 */
const warnsOfInsecure: Probe = async (lab) => {
  const scene = await lab.scene(agent(answering, { access: bearerHolders() }), { untrusted: true });
  const strict = await scene.run(lab.send("hello", "--bearer", token));
  const insecure = await scene.run(lab.send("hello", "--bearer", token, "--insecure"));
  await scene.close();
  lab.expect(
    strict.exit !== 0 && !strict.requests().length,
    "no request to an agent with an untrusted certificate",
    strict.requests().length ? "requests over an unverified connection" : lab.describe(strict),
    "Verify certificates unless --insecure is given.",
    strict.command,
  );
  lab.expect(
    insecure.exit === 0 && insecure.output.includes(word),
    "a response with --insecure",
    lab.describe(insecure),
    "With --insecure, skip the verification of the certificate.",
    insecure.command,
  );
  lab.expect(
    /warn|insecure|not verified|unverified|verification/i.test(insecure.errors),
    "a warning on stderr with --insecure and a credential",
    insecure.errors === "" ? "nothing on stderr" : lab.describe(insecure),
    "Warn that the credential goes over an unverified connection.",
    insecure.command,
  );
};

/** AUTH_004 */
const redacts: Probe = async (lab) => {
  const scene = await lab.scene(agent(answering, { access: bearerHolders() }));
  const keyed = await lab.scene(agent(answering, { access: apiKeyHolders() }));
  const secret = "contract-secret-77aa";
  const noisy = ["--debug", "--verbose"];
  const runs = [
    await scene.run(lab.send("hello", "--bearer", token, "--svc-param", `x-session-token:${secret}`, ...noisy)),
    await keyed.run(lab.send("hello", "--api-key", apiKey, ...noisy)),
  ];
  if (runs.some(({ exit, errors }) => exit !== 0 || errors === ""))
    lab.notMeasured("the tool printed no diagnostics with --debug --verbose");
  for (const run of runs) {
    const leaked = [token, apiKey, secret].filter((each) => `${run.output}${run.errors}`.includes(each));
    lab.expect(
      !leaked.length,
      "no credential in the output",
      `${leaked.length} in clear text`,
      "Mask credentials in all diagnostic output.",
      run.command.replaceAll(/contract-(token|key|secret)-\w+/g, "…"),
    );
  }
};

export const credentialProbes = {
  A2ACLI_AUTH_001: attaches,
  A2ACLI_AUTH_002: prefersFlags,
  A2ACLI_AUTH_003: warnsOfInsecure,
  A2ACLI_AUTH_004: redacts,
};
