import type { Adapter, AdapterPayload } from "oidc-provider";

interface Entry {
  readonly payload: AdapterPayload;
  readonly until: number;
}

/** What the OAuth server remembers: logins, codes and sessions, each for as long as it is good. */
export class OidcMemory {
  readonly #entries = new Map<string, Entry>();
  readonly #most: number;

  /** Beyond so many entries the oldest goes. */
  constructor(most = 10_000) {
    this.#most = most;
  }

  /** The part of it that one kind of thing has. */
  readonly of = (kind: string): Adapter => ({
    upsert: async (id, payload, expiresIn) => this.#set(`${kind} ${id}`, payload, expiresIn),
    find: async (id) => this.#get(`${kind} ${id}`),
    findByUid: async (uid) => this.#first(kind, (payload) => payload.uid === uid),
    findByUserCode: async (userCode) => this.#first(kind, (payload) => payload.userCode === userCode),
    consume: async (id) => {
      const payload = this.#get(`${kind} ${id}`);
      if (payload) payload["consumed"] = Math.floor(Date.now() / 1000);
    },
    destroy: async (id) => {
      this.#entries.delete(`${kind} ${id}`);
    },
    revokeByGrantId: async (grantId) => {
      for (const [key, { payload }] of this.#entries) if (payload.grantId === grantId) this.#entries.delete(key);
    },
  });

  #set(key: string, payload: AdapterPayload, expiresIn: number | undefined): void {
    const until = expiresIn === undefined ? Number.POSITIVE_INFINITY : Date.now() + expiresIn * 1_000;
    this.#entries.delete(key);
    this.#entries.set(key, { payload, until });
    if (this.#entries.size > this.#most) this.#entries.delete(this.#entries.keys().next().value!);
  }

  #get(key: string): AdapterPayload | undefined {
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    if (entry.until > Date.now()) return entry.payload;
    this.#entries.delete(key);
    return undefined;
  }

  #first(kind: string, matches: (payload: AdapterPayload) => boolean): AdapterPayload | undefined {
    for (const [key, { payload }] of this.#entries)
      if (key.startsWith(`${kind} `) && matches(payload)) return this.#get(key);
    return undefined;
  }
}
