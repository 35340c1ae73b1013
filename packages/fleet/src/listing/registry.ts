import { isObject } from "@assay/protocol";
import { AssayError } from "@assay/protocol/assay-error";
import { atJsonPath } from "./json-path.ts";
import type { ListDocument, ListRow } from "./row.ts";

/** The fields that a registry may set. It decides neither what Assay asks the agent nor with whose credentials. */
const taken = ["url", "name", "card", "labels", "optOut"] as const;

/**
 * Reads a page of a registry's listing: a list of addresses or of objects with `url`, directly or under `agents`. The
 * operator's path may select addresses elsewhere. Throws if there are more than `most`, before it processes them.
 */
export function readRegistry(
  json: unknown,
  address: string,
  { path, most }: { readonly path?: string | undefined; readonly most: number },
): ListDocument & { readonly next?: string } {
  const listed = path === undefined ? agentsIn(json) : atJsonPath(json, path);
  if (!Array.isArray(listed))
    return {
      rows: [],
      mistakes: [
        {
          place: address,
          message: "holds no list of agents; --json-path says where their addresses are, as in $.items[*].url",
        },
      ],
    };
  if (listed.length > most)
    throw new AssayError({ code: "too-many-agents", message: `The listing has more than ${most} agents` });
  const next = isObject(json) && typeof json["next"] === "string" ? json["next"] : undefined;
  return {
    rows: listed.map((value, index): ListRow => ({ place: `${address}#${index + 1}`, value: only(value) })),
    mistakes: [],
    ...(path === undefined && next !== undefined && { next }),
  };
}

const agentsIn = (json: unknown): unknown => (isObject(json) && !Array.isArray(json) ? json["agents"] : json);

function only(value: unknown): unknown {
  if (!isObject(value)) return value;
  return Object.fromEntries(taken.flatMap((name) => (value[name] === undefined ? [] : [[name, value[name]]])));
}
