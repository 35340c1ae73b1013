/** The parts of an absolute URL that rules examine. This package has no `URL` class and needs none. */
export interface UrlParts {
  readonly scheme: string;
  /** `user:password@` before the host, without the `@` */
  readonly userinfo: string | undefined;
  readonly host: string;
  readonly port: string | undefined;
}

const absolute =
  /^([a-z][a-z\d+.-]*):\/\/(?:([^\s/?#@]*)@)?(\[[\da-f:.]+\]|[^\s/?#@:[\]]+)(?::(\d{1,5}))?(?:[/?#]\S*)?$/i;

/** Returns undefined if the text is relative, has no host, or cannot be parsed. */
export function parseUrl(text: string): UrlParts | undefined {
  const match = absolute.exec(text);
  if (!match) return undefined;
  const [, scheme = "", userinfo, host = "", port] = match;
  return { scheme: scheme.toLowerCase(), userinfo, host: host.toLowerCase(), port };
}

export const isHttpUrl = (text: string): boolean => /^https?$/.test(parseUrl(text)?.scheme ?? "");

/** Accepts any absolute URI, including `urn:`. */
export const isUri = (text: string): boolean => /^[a-z][a-z\d+.-]*:[^\s]+$/i.test(text);

/** Addresses that servers listen on and clients cannot call. */
export const isUnspecified = (host: string): boolean => host === "0.0.0.0" || host === "[::]";
