import { readAllowedSecret } from "@assay/library/connection";
import { expect, test } from "vitest";
import { z } from "zod";
import { type AccessArguments, accessArguments, accessTo } from "./agent-access.ts";

const operator = {
  allowPrivate: false,
  allowHosts: [],
  allowedSecrets: [readAllowedSecret("env:TOKEN@127.0.0.1:9999")],
};
const local = "http://127.0.0.1:9999/agent";

test.each(["http://127.0.0.1:9999", "localhost:9999", "http://[::1]:9999", "https://agents.example/maps"])(
  "%s may be named",
  async (url) => {
    const { guard, url: named } = await accessTo({ url }, operator);
    expect(guard.checkHost(new URL(named).hostname)).toEqual({ allowed: true });
  },
);

test.each(["http://10.0.0.5", "http://192.168.1.1:8080", "http://169.254.169.254/latest", "http://[fd00::1]"])(
  "%s is not contacted, and the message names the flag of the operator",
  async (url) => {
    await expect(accessTo({ url }, operator)).rejects.toMatchObject({
      message: expect.stringMatching(/^assay mcp may not contact /),
      hint: expect.stringContaining("--allow-private"),
    });
  },
);

test("private networks are for the operator to allow, and metadata services stay out", async () => {
  const open = { ...operator, allowPrivate: true };
  await expect(accessTo({ url: "http://10.0.0.5" }, open)).resolves.toMatchObject({ url: "http://10.0.0.5/" });
  await expect(accessTo({ url: "http://169.254.169.254" }, open)).rejects.toThrow("may not contact");
  const named = { ...operator, allowHosts: ["10.0.0.5"] };
  await expect(accessTo({ url: "http://10.0.0.5" }, named)).resolves.toMatchObject({ url: "http://10.0.0.5/" });
});

test("only named addresses may be dialed", async () => {
  const { guard } = await accessTo({ url: local, other_urls: ["127.0.0.1:50051"] }, operator);
  const dials = (port: number) => guard.checkHost("127.0.0.1", port).allowed;
  expect([dials(9999), dials(50051), dials(9998)]).toEqual([true, true, false]);
});

test.each([
  [{ bearer: "env:TOKEN" }, local, true],
  [{ bearer: "env:TOKEN" }, "http://127.0.0.1:9998", false],
  [{ bearer: "env:TOKEN" }, "https://agents.example", false],
  [{ bearer: "env:HOME" }, local, false],
  [{ bearer: "@/etc/passwd" }, local, false],
  [{ basic: "me:env:HOME" }, local, false],
  [{ api_key: "X-Key=env:TOKEN" }, local, true],
])("%j to %s: %s", async (credentials, url, isAllowed) => {
  const access = accessTo({ url, credentials }, operator);
  if (isAllowed) await expect(access).resolves.toBeDefined();
  else await expect(access).rejects.toMatchObject({ hint: expect.stringContaining("--allow-secret") });
});

test.each<AccessArguments["credentials"]>([{ bearer: "s3cret" }, { basic: "me:s3cret" }, { api_key: "X-Key=s3cret" }])(
  "the literal in %j is refused before it is used",
  (credentials) => {
    expect(z.object(accessArguments).safeParse({ url: local, credentials }).success).toBe(false);
  },
);

test("a login in the address is refused without repeating it", async () => {
  const refused = accessTo({ url: "http://me:s3cret@127.0.0.1:9999" }, operator);
  await expect(refused).rejects.toThrow("The address contains a login.");
});
