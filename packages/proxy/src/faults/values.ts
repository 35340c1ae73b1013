/** The value of a fault: what it may be, in words and as a reader. */
export interface ValueKind<T> {
  readonly wants: string;
  read(text: string): T | undefined;
}

const units: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000 };

/** Reads a duration in milliseconds. */
export const duration: ValueKind<number> = {
  wants: "a duration, such as 300ms, 2s or 5m",
  read(text) {
    const [, amount, unit] = /^(\d+(?:\.\d+)?)(ms|s|m)$/.exec(text) ?? [];
    return amount === undefined ? undefined : Number(amount) * units[unit!]!;
  },
};

/** Reads an offset in milliseconds, which is negative for a clock that is behind. */
export const offset: ValueKind<number> = {
  wants: "a duration with an optional sign, such as 90s or -5m",
  read(text) {
    const ms = duration.read(text.replace(/^[+-]/, ""));
    return ms === undefined ? undefined : text.startsWith("-") ? -ms : ms;
  },
};

export const whole: ValueKind<number> = {
  wants: "a whole number from 1",
  read: (text) => (/^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined),
};

export const eventsOrTime: ValueKind<{ readonly events: number } | { readonly ms: number }> = {
  wants: "a number of events, such as 3, or a duration, such as 2s",
  read(text) {
    const [events, ms] = [whole.read(text), duration.read(text)];
    if (events !== undefined) return { events };
    return ms === undefined ? undefined : { ms };
  },
};

export const errorStatus: ValueKind<number> = {
  wants: "an HTTP status from 400 to 599, such as 503",
  read: (text) => (/^[45]\d\d$/.test(text) ? Number(text) : undefined),
};

/** Without its framing headers, a message would become another message. */
const isFraming = (name: string): boolean => /^(content-length|transfer-encoding|connection)$/i.test(name);

export const headerName: ValueKind<string> = {
  wants: "the name of a header other than Content-Length, Transfer-Encoding and Connection",
  read: (text) => (/^[\w-]+$/.test(text) && !isFraming(text) ? text.toLowerCase() : undefined),
};

/** The value of faults that have none. */
export const none: ValueKind<undefined> = { wants: "no value", read: () => undefined };
