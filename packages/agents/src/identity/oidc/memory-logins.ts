import type { AdapterPayload } from "oidc-provider";
import { type LoginStore, mostLogins, type StoredLogin } from "./logins.ts";

/** Stores logins in this process. */
export class MemoryLogins implements LoginStore {
  readonly #logins = new Map<string, StoredLogin>();

  async set(login: StoredLogin): Promise<void> {
    const key = keyOf(login.kind, login.id);
    // Moved to the end.
    this.#logins.delete(key);
    this.#logins.set(key, login);
    if (this.#logins.size > mostLogins) this.#logins.delete(this.#logins.keys().next().value!);
  }

  async get(kind: string, id: string): Promise<AdapterPayload | undefined> {
    return this.#get(keyOf(kind, id))?.payload;
  }

  async getByUid(kind: string, uid: string): Promise<AdapterPayload | undefined> {
    for (const [key, login] of this.#logins)
      if (login.kind === kind && login.payload.uid === uid) return this.#get(key)?.payload;
    return undefined;
  }

  async consume(kind: string, id: string): Promise<boolean> {
    const payload = this.#get(keyOf(kind, id))?.payload;
    if (!payload || payload["consumed"]) return false;
    payload["consumed"] = Math.floor(Date.now() / 1_000);
    return true;
  }

  async delete(kind: string, id: string): Promise<void> {
    this.#logins.delete(keyOf(kind, id));
  }

  async deleteGrant(grantId: string): Promise<void> {
    for (const [key, { payload }] of this.#logins) if (payload.grantId === grantId) this.#logins.delete(key);
  }

  #get(key: string): StoredLogin | undefined {
    const login = this.#logins.get(key);
    if (!login || login.until === undefined || login.until > Date.now()) return login;
    this.#logins.delete(key);
    return undefined;
  }
}

const keyOf = (kind: string, id: string): string => `${kind} ${id}`;
