import { type Database, sql } from "@assay/storage";
import type { AdapterPayload } from "oidc-provider";
import { type LoginStore, mostLogins, type StoredLogin } from "../../identity/oidc/logins.ts";
import { digestOf } from "./keys.ts";

/** Expired and surplus logins are deleted once in this many logins. */
const perTidying = 100;
/** Later than any time. */
const never = Number.MAX_SAFE_INTEGER;

/** Stores logins in a database, where every server finds logins that another one started. */
export class StoredLogins implements LoginStore {
  readonly #database: Database;
  readonly #most: number;
  #written = 0;

  constructor(database: Database, most = mostLogins) {
    this.#database = database;
    this.#most = most;
  }

  async set({ kind, id, payload, until = never }: StoredLogin): Promise<void> {
    const uidKey = payload.uid === undefined ? null : keyOf(kind, payload.uid);
    const grantKey = payload.grantId === undefined ? null : digestOf(payload.grantId);
    const text = JSON.stringify(payload);
    await this.#database.run(
      sql`insert into assay_logins (key, uid_key, grant_key, at, until, payload)
        values (${keyOf(kind, id)}, ${uidKey}, ${grantKey}, ${Date.now()}, ${until}, ${text})
        on conflict (key) do update set uid_key = excluded.uid_key, grant_key = excluded.grant_key, at = excluded.at,
          until = excluded.until, payload = excluded.payload`,
    );
    if (this.#written++ % perTidying === 0) await this.#tidy();
  }

  async get(kind: string, id: string): Promise<AdapterPayload | undefined> {
    const key = keyOf(kind, id);
    return read(
      await this.#database.all<Row>(
        sql`select payload, consumed from assay_logins where key = ${key} and until > ${Date.now()}`,
      ),
    );
  }

  async getByUid(kind: string, uid: string): Promise<AdapterPayload | undefined> {
    const key = keyOf(kind, uid);
    return read(
      await this.#database.all<Row>(
        sql`select payload, consumed from assay_logins where uid_key = ${key} and until > ${Date.now()}`,
      ),
    );
  }

  async consume(kind: string, id: string): Promise<boolean> {
    const now = Date.now();
    const used = await this.#database.write(
      sql`update assay_logins set consumed = ${Math.floor(now / 1_000)}
        where key = ${keyOf(kind, id)} and consumed is null and until > ${now} returning key`,
    );
    return used.length > 0;
  }

  async delete(kind: string, id: string): Promise<void> {
    await this.#database.run(sql`delete from assay_logins where key = ${keyOf(kind, id)}`);
  }

  async deleteGrant(grantId: string): Promise<void> {
    await this.#database.run(sql`delete from assay_logins where grant_key = ${digestOf(grantId)}`);
  }

  async #tidy(): Promise<void> {
    await this.#database.run(sql`delete from assay_logins where until <= ${Date.now()}`);
    const [surplus] = await this.#database.all<{ at: number }>(
      sql`select at from assay_logins order by at desc limit 1 offset ${this.#most}`,
    );
    if (surplus) await this.#database.run(sql`delete from assay_logins where at <= ${surplus.at}`);
  }
}

interface Row {
  readonly payload: string;
  readonly consumed: number | null;
}

function read([row]: readonly Row[]): AdapterPayload | undefined {
  if (!row) return undefined;
  const payload = JSON.parse(row.payload) as AdapterPayload;
  return row.consumed === null ? payload : { ...payload, consumed: row.consumed };
}

/** Hashes the key, because a client may send any text of any length as a code. */
const keyOf = (kind: string, id: string): string => digestOf(`${kind} ${id}`);
