/** The parts of an absolute URL we judge. This package has no `URL`, and needs only to look. */
export interface UrlParts {
  readonly scheme: string;
  /** `user:password@` before the host, without the `@` */
  readonly userinfo: string | undefined;
  readonly host: string;
  readonly port: string | undefined;
}

const absolute =
  /^([a-z][a-z\d+.-]*):\/\/(?:([^\s/?#@]*)@)?(\[[\da-f:.]+\]|[^\s/?#@:[\]]+)(?::(\d{1,5}))?(?:[/?#]\S*)?$/i;

/** Undefined when the text is relative, has no host, or cannot be parsed. */
export function parseUrl(text: string): UrlParts | undefined {
  const match = absolute.exec(text);
  if (!match) return undefined;
  const [, scheme = "", userinfo, host = "", port] = match;
  return { scheme: scheme.toLowerCase(), userinfo, host: host.toLowerCase(), port };
}

export const isHttpUrl = (text: string): boolean => /^https?$/.test(parseUrl(text)?.scheme ?? "");

/** Any absolute URI, `urn:` included. */
export const isUri = (text: string): boolean => /^[a-z][a-z\d+.-]*:[^\s]+$/i.test(text);

/** What a server listens on, never what a client can call. */
export const isUnspecified = (host: string): boolean => host === "0.0.0.0" || host === "[::]";
