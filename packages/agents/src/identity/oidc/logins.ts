import type { Adapter, AdapterPayload } from "oidc-provider";

/** One thing that the OAuth server remembers: a session, a login under way, a code, a grant, a refresh token. */
export interface StoredLogin {
  readonly kind: string;
  readonly id: string;
  readonly payload: AdapterPayload;
  /** in milliseconds; absent for what never ends */
  readonly until?: number | undefined;
}

/** Where they are kept, each for as long as it is good: in this process, or where all servers of a store find them. */
export interface LoginStore {
  set(login: StoredLogin): Promise<void>;
  get(kind: string, id: string): Promise<AdapterPayload | undefined>;
  getByUid(kind: string, uid: string): Promise<AdapterPayload | undefined>;
  /** Uses up what is good once; false where it was used up before, here or elsewhere. */
  consume(kind: string, id: string): Promise<boolean>;
  delete(kind: string, id: string): Promise<void>;
  /** Forgets all that came out of one grant. */
  deleteGrant(grantId: string): Promise<void>;
}

/** Beyond so many the oldest go: anyone can begin a login, and no one has to end it. */
export const mostLogins = 10_000;

/** Logins as the library wants them kept. `usedTwice` makes the error for a code that two servers are asked to redeem at once. */
export const adapterOn =
  (logins: LoginStore, usedTwice: () => Error) =>
  (kind: string): Adapter => ({
    upsert: (id, payload, expiresIn) =>
      logins.set({ kind, id, payload, ...(expiresIn !== undefined && { until: Date.now() + expiresIn * 1_000 }) }),
    find: (id) => logins.get(kind, id),
    findByUid: (uid) => logins.getByUid(kind, uid),
    // Asked for devices that have no browser, and this server knows none.
    findByUserCode: async () => undefined,
    async consume(id) {
      if (!(await logins.consume(kind, id))) throw usedTwice();
    },
    destroy: (id) => logins.delete(kind, id),
    revokeByGrantId: (grantId) => logins.deleteGrant(grantId),
  });
