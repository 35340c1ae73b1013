import type { Adapter, AdapterPayload } from "oidc-provider";

/** A record of the OAuth server: a session, a pending login, a code, a grant, a refresh token. */
export interface StoredLogin {
  readonly kind: string;
  readonly id: string;
  readonly payload: AdapterPayload;
  /** in milliseconds; absent if it never expires */
  readonly until?: number | undefined;
}

/** Stores logins until they expire: in this process, or in a store that several servers share. */
export interface LoginStore {
  set(login: StoredLogin): Promise<void>;
  get(kind: string, id: string): Promise<AdapterPayload | undefined>;
  getByUid(kind: string, uid: string): Promise<AdapterPayload | undefined>;
  /** Consumes a single-use record; false if it was consumed before, here or on another server. */
  consume(kind: string, id: string): Promise<boolean>;
  delete(kind: string, id: string): Promise<void>;
  /** Deletes all records of one grant. */
  deleteGrant(grantId: string): Promise<void>;
}

/**
 * Maximum number of logins; beyond it the oldest is deleted, because anyone can start a login and never
 * finish it.
 */
export const mostLogins = 10_000;

/**
 * Adapts a login store to the library. `usedTwice` creates the error for a code that two servers redeem at
 * once.
 */
export const adapterOn =
  (logins: LoginStore, usedTwice: () => Error) =>
  (kind: string): Adapter => ({
    upsert: (id, payload, expiresIn) =>
      logins.set({ kind, id, payload, ...(expiresIn !== undefined && { until: Date.now() + expiresIn * 1_000 }) }),
    find: (id) => logins.get(kind, id),
    findByUid: (uid) => logins.getByUid(kind, uid),
    // Used for devices without a browser, which this server does not support.
    findByUserCode: async () => undefined,
    async consume(id) {
      if (!(await logins.consume(kind, id))) throw usedTwice();
    },
    destroy: (id) => logins.delete(kind, id),
    revokeByGrantId: (grantId) => logins.deleteGrant(grantId),
  });
