import type { JsonObject, JsonValue } from "@assay/protocol";
import { asList, asObject, asText } from "../../answers/loose-json.ts";
import type { LooseEvent } from "../../answers/reading.ts";

/** Artifacts by id, each as the chunks it came in. */
type Pieces = ReadonlyMap<string, readonly string[]>;

/** Combines the artifact updates of a stream: `append` adds to an artifact, otherwise it is replaced (§4.2.2). */
export function assembled(events: readonly LooseEvent[], from: readonly JsonObject[] = []): Pieces {
  const artifacts = new Map([...stored(from)].map(([id, pieces]) => [id, [...pieces]]));
  for (const { is, content } of events) {
    const artifact = is === "artifact" ? asObject(content["artifact"]) : undefined;
    if (!artifact) continue;
    const id = asText(artifact["artifactId"]) ?? "";
    const before = content["append"] === true ? artifacts.get(id) : undefined;
    // Adding to the list costs the same for each of many chunks; a new list would copy all earlier ones.
    if (before) before.push(contentOf(artifact));
    else artifacts.set(id, [contentOf(artifact)]);
  }
  return artifacts;
}

/** Returns artifacts as GetTask returns them. */
export const stored = (artifacts: readonly JsonObject[]): Pieces =>
  new Map(
    artifacts.map((artifact) => [asText(artifact["artifactId"]) ?? "", asList(artifact["parts"]).map(partContent)]),
  );

/** Joins the parts of an artifact, because agents may split them differently. */
export const whole = (pieces: readonly string[] | undefined): string => (pieces ?? []).join("");

const contentOf = (artifact: JsonObject): string => asList(artifact["parts"]).map(partContent).join("");

function partContent(part: JsonValue): string {
  const { text, raw, url, data } = asObject(part) ?? {};
  return asText(text) ?? asText(raw) ?? asText(url) ?? (data === undefined ? "" : stable(data));
}

/** Writes JSON with sorted members, so that equal values give equal text. */
export function stable(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(stable).join(",")}]`;
  const object = asObject(value);
  if (!object) return JSON.stringify(value);
  const members = Object.keys(object).toSorted();
  return `{${members.map((name) => `${JSON.stringify(name)}:${stable(object[name]!)}`).join(",")}}`;
}
