import { isObject, type JsonObject, type JsonValue } from "@assay/protocol";

/**
 * The places in a request that a client was asked to send and that are not so on the wire. What it adds of its own is its
 * affair; where the request cannot be read at all, nothing can be said.
 */
export function lostIn(asked: JsonObject, sent: JsonObject | undefined): string[] {
  return sent === undefined ? [] : differences(asked, sent, "");
}

function differences(asked: JsonValue, sent: JsonValue | undefined, path: string): string[] {
  if (Array.isArray(asked)) {
    const list = Array.isArray(sent) ? sent : [];
    return asked.flatMap((each, index) => differences(each, list[index], `${path}[${index}]`));
  }
  if (isObject(asked)) {
    const members: JsonObject = isObject(sent) ? (sent as JsonObject) : {};
    return Object.entries(asked as JsonObject).flatMap(([name, value]) =>
      differences(value, members[name], path === "" ? name : `${path}.${name}`),
    );
  }
  // What is the default may be left out.
  const isDefault = sent === undefined && (asked === false || asked === "");
  return asked === sent || isDefault ? [] : [path];
}
