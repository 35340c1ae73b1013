import { defined } from "@assay/protocol";
import { optionNames, optionOf, readOptions, testOptions } from "@assay/suite/options";
import type { AgentAccess, GatewayWish, Login, RunWish } from "@assay/viewer/documents";
import { ApiError } from "../../server/api-error.ts";

type Members = Readonly<Record<string, unknown>>;

/** The settings of a requested test, as received; an ApiError names the invalid member. */
export function readWish(value: unknown): RunWish {
  const isOption = ([name, given]: [string, unknown]): boolean =>
    optionNames.some((each) => each === name && optionOf(each).page) && !(Array.isArray(given) && given.length === 0);
  const given = Object.fromEntries(Object.entries(value as Members).filter(isOption));
  const options = readOptions(testOptions, given, "page", ({ name, kind }) => wrong(name, kind?.wants ?? "left out"));
  return { ...readAccess(value), ...options };
}

/** The settings of a requested test of a gateway. */
export function readGatewayWish(value: unknown): GatewayWish {
  const members = value as Members;
  const direct = optional(members, "direct", () => required(members, "direct").trim());
  const upstreamPort = optional(members, "upstreamPort", (given, name) => {
    if (typeof given === "number" && Number.isInteger(given) && given > 0 && given < 65_536) return given;
    throw wrong(name, "a port from 1 to 65535");
  });
  return { ...readAccess(value), ...defined({ direct, upstreamPort }) };
}

/** Reads the address and the credentials of an agent from the body of a request. */
export function readAccess(value: unknown): AgentAccess {
  const members = value as Members;
  const login = optional(members, "login", readLogin);
  const headers = optional(members, "headers", (given, name) => {
    if (!Array.isArray(given)) throw wrong(name, "a list of {name, value}");
    return given.map((each: Members) => ({
      name: required(each ?? {}, "name"),
      value: required(each ?? {}, "value"),
    }));
  });
  return { url: required(members, "url").trim(), ...(login && { login }), ...(headers && { headers }) };
}

function readLogin(given: unknown): Login {
  const login = (typeof given === "object" && given !== null ? given : {}) as Members;
  switch (login["kind"]) {
    case "bearer":
      return { kind: "bearer", token: required(login, "token") };
    case "api-key":
      return { kind: "api-key", name: required(login, "name"), key: required(login, "key") };
    case "basic":
      return { kind: "basic", user: required(login, "user"), password: text(login["password"] ?? "", "password") };
    case "oauth-client": {
      const scope = optional(login, "scope", text);
      return {
        kind: "oauth-client",
        client: required(login, "client"),
        secret: required(login, "secret"),
        tokenUrl: required(login, "tokenUrl"),
        ...(scope && { scope }),
      };
    }
    default:
      throw wrong("login.kind", "bearer, api-key, basic or oauth-client");
  }
}

const wrong = (name: string, want: string): ApiError => new ApiError(400, `"${name}" must be ${want}.`);

function text(value: unknown, name: string): string {
  if (typeof value !== "string") throw wrong(name, "a text");
  return value;
}

function required(members: Members, name: string): string {
  const value = text(members[name], name);
  if (value.trim() === "") throw wrong(name, "a non-empty text");
  return value;
}

const optional = <T>(members: Members, name: string, read: (value: unknown, name: string) => T): T | undefined =>
  members[name] === undefined || members[name] === null ? undefined : read(members[name], name);
