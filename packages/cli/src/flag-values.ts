import { readDuration } from "@assay/fleet/duration";
import { InvalidArgumentError } from "commander";

/** For a flag that may be given several times. */
export const collect = (value: string, sofar: string[] = []): string[] => [...sofar, value];

/** The same flag in every command that reads secrets which a file or a ledger names. */
export const allowSecretFlag = "--allow-secret <reference@host[:port]>";
export const allowSecretText =
  "let this secret, env:NAME or @file, go to this host, such as env:TOKEN@agents.example:443 (repeatable)";

export function count(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError("Give a whole number from 0.");
  return Number(text);
}

export function portNumber(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535)
    throw new InvalidArgumentError("Give a port from 0 to 65535; 0 takes any free one.");
  return port;
}

export function factor(text: string): number {
  const value = Number(text);
  if (!(value >= 0 && value <= 100)) throw new InvalidArgumentError("Give a factor from 0 to 100, such as 0.1.");
  return value;
}

export function seconds(text: string): number {
  const value = Number(text);
  if (!(value > 0)) throw new InvalidArgumentError("Give a number of seconds above 0.");
  return value;
}

export function mebibytes(text: string): number {
  const value = Number(text);
  if (!(value >= 1 && value <= 1_000_000)) throw new InvalidArgumentError("Give a number of MiB from 1.");
  return value;
}

/** "90s", "12h", "7d" in milliseconds. */
export function span(text: string): number {
  const ms = readDuration(text);
  if (ms === undefined) throw new InvalidArgumentError("Give a span of time, such as 90s, 15m, 12h or 7d.");
  return ms;
}

export function days(text: string): number {
  const value = Number(text);
  if (!(value > 0 && value <= 100_000)) throw new InvalidArgumentError("Give a number of days above 0.");
  return value;
}

export function atLeastOne(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError("Give a whole number from 1.");
  return Number(text);
}

export function percent(text: string): number {
  const value = Number(text.replace(/%$/, ""));
  if (text.trim() === "" || !(value >= 0 && value <= 100))
    throw new InvalidArgumentError("Give a percentage from 0 to 100.");
  return value;
}

export function perSecond(text: string): number {
  const value = Number(text);
  if (!(value > 0)) throw new InvalidArgumentError("Give a number of requests a second above 0.");
  return value;
}

/** For a flag that may be given several times, or once with several values: "a,b". */
export const list = (text: string, sofar: string[] = []): string[] => [
  ...sofar,
  ...text
    .split(",")
    .map((each) => each.trim())
    .filter(Boolean),
];

/** For a flag with few values that may be given several times; `also` are other ways people write them. */
const oneOf =
  <T extends string>(values: readonly T[], also: Readonly<Record<string, T>> = {}) =>
  (text: string, sofar: T[] = []): T[] => {
    const found = values.find((value) => value.toLowerCase() === text.toLowerCase()) ?? also[text.toLowerCase()];
    if (found === undefined) throw new InvalidArgumentError(`Allowed choices are ${values.join(", ")}.`);
    return [...sofar, found];
  };

export const bindings = oneOf(["JSONRPC", "HTTP+JSON", "GRPC"], { "json-rpc": "JSONRPC", rest: "HTTP+JSON" });
export const dialects = oneOf(["0.1", "0.2", "0.3", "1.0"]);
