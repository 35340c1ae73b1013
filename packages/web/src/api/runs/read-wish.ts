import { bindings as knownBindings, dialects as knownDialects } from "@assay/protocol";
import { depths } from "@assay/suite/report";
import type { AgentAccess, Login, RunWish } from "@assay/viewer/documents";
import { ApiError } from "../../server/api-error.ts";

type Members = Readonly<Record<string, unknown>>;

/** What a test is asked for with, as it came; an ApiError names the member that is wrong. */
export function readWish(value: unknown): RunWish {
  const members = value as Members;
  const depth = optional(members, "depth", oneOf(depths));
  const budget = members["budget"];
  if (budget !== undefined && !(Number.isSafeInteger(budget) && (budget as number) >= 0))
    throw wrong("budget", "a whole number from 0");
  const only = optional(members, "only", listOf(text));
  const bindings = optional(members, "bindings", listOf(oneOf(knownBindings)));
  const dialects = optional(members, "dialects", listOf(oneOf(knownDialects)));
  return {
    ...readAccess(value),
    ...(depth !== undefined && { depth }),
    ...(budget !== undefined && { budget: budget as number }),
    ...(only && { only }),
    ...(bindings && { bindings }),
    ...(dialects && { dialects }),
  };
}

/** How an agent is reached and as whom, from the body of a request. */
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

const wrong = (name: string, want: string): ApiError => new ApiError(400, `"${name}" should be ${want}.`);

function text(value: unknown, name: string): string {
  if (typeof value !== "string") throw wrong(name, "a text");
  return value;
}

const oneOf =
  <T extends string>(words: readonly T[]) =>
  (value: unknown, name: string): T => {
    const word = words.find((each) => each === value);
    if (word === undefined) throw wrong(name, `one of ${words.join(", ")}`);
    return word;
  };

const listOf =
  <T>(read: (value: unknown, name: string) => T) =>
  (value: unknown, name: string): T[] => {
    if (!Array.isArray(value)) throw wrong(name, "a list");
    return value.map((each) => read(each, name));
  };

function required(members: Members, name: string): string {
  const value = text(members[name], name);
  if (value.trim() === "") throw wrong(name, "something, not empty");
  return value;
}

const optional = <T>(members: Members, name: string, read: (value: unknown, name: string) => T): T | undefined =>
  members[name] === undefined || members[name] === null ? undefined : read(members[name], name);
