import type { HarEntry } from "@assay/wire";

/**
 * The line for the shell that asks the same again. What was masked comes from the environment: the placeholder
 * `«secret:bearer»` becomes "$ASSAY_BEARER".
 */
export function repeatLine(entry: HarEntry, replay: string): string {
  const { method, url, headers, postData, httpVersion } = entry.request;
  // grpcurl would want the schema, and our bytes are protobuf already.
  if (httpVersion === "HTTP/2") return replay;
  const isStream = /text\/event-stream/.test(entry.response.content.mimeType);
  const fields = headers.filter(({ name }) => !/^(host|connection|content-length|user-agent|accept)$/i.test(name));
  if (postData?._encoding || (postData && postData.text.length > 4_000)) return replay;
  return [
    isStream ? "curl -sN" : "curl -s",
    ...(method === (postData ? "POST" : "GET") ? [] : ["-X", quoted(method)]),
    quoted(url),
    ...fields.flatMap(({ name, value }) => ["-H", quoted(`${name}: ${value}`)]),
    ...(postData ? ["-d", quoted(postData.text)] : []),
  ].join(" ");
}

/** In single quotes nothing is special but the quote itself; a masked secret is read from the environment instead. */
function quoted(text: string): string {
  const plain = `'${text.replaceAll("'", "'\\''")}'`;
  return plain.replace(
    /«secret:([a-z0-9-]+)»/gi,
    (_, name: string) => `'"$ASSAY_${name.toUpperCase().replaceAll("-", "_")}"'`,
  );
}
