import type { HarEntry } from "@assay/wire";

/** Longer bodies are too long for a command line. */
const longest = 4_000;

/**
 * Returns the shell command that repeats a request, if there is one. Masked values come from the environment: the
 * placeholder `«secret:bearer»` becomes "$ASSAY_BEARER". `message` is the request of a gRPC call as JSON.
 */
export function repeatLine(entry: HarEntry, message?: string): string | undefined {
  return entry.request.httpVersion === "HTTP/2" ? grpcurl(entry, message) : curl(entry);
}

function curl({ request, response }: HarEntry): string | undefined {
  const { method, url, headers, postData } = request;
  if (postData?._encoding || (postData && postData.text.length > longest)) return undefined;
  const isStream = /text\/event-stream/.test(response.content.mimeType);
  const fields = headers.filter(({ name }) => !/^(host|connection|content-length|user-agent|accept)$/i.test(name));
  return [
    isStream ? "curl -sN" : "curl -s",
    ...(method === (postData ? "POST" : "GET") ? [] : ["-X", shellQuoted(method)]),
    shellQuoted(url),
    ...fields.flatMap(({ name, value }) => ["-H", shellQuoted(`${name}: ${value}`)]),
    ...(postData ? ["-d", shellQuoted(postData.text)] : []),
  ].join(" ");
}

/** Needs server reflection, or `-proto` with the file of the specification. */
function grpcurl({ request }: HarEntry, message: string | undefined): string | undefined {
  if (message === undefined || message.length > longest) return undefined;
  const [, scheme, authority, call] = /^(https?):\/\/([^/]+)\/(.+)$/.exec(request.url) ?? [];
  if (!authority || !call) return undefined;
  const own = request.headers.filter(({ name }) => !/^(:|te$|content-type$|user-agent$|grpc-)/i.test(name));
  return [
    "grpcurl",
    ...(scheme === "http" ? ["-plaintext"] : []),
    ...own.flatMap(({ name, value }) => ["-H", shellQuoted(`${name}: ${value}`)]),
    "-d",
    shellQuoted(message),
    shellQuoted(authority),
    shellQuoted(call),
  ].join(" ");
}

/** Quotes a shell word. Only the single quote needs escaping. A masked secret is read from the environment. */
export function shellQuoted(text: string): string {
  const plain = `'${text.replaceAll("'", "'\\''")}'`;
  return plain.replace(
    /«secret:([a-z0-9_-]+)»/gi,
    (_, name: string) => `'"$ASSAY_${name.toUpperCase().replaceAll("-", "_")}"'`,
  );
}
