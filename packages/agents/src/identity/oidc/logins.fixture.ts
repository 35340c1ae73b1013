import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import type { LoginStore } from "./logins.ts";

/** Test cases for every login store. Each uses new ids. */
export const loginCases: readonly { title: string; run(logins: LoginStore): Promise<void> }[] = [
  {
    title: "what was set is there by its kind and id, and by the uid of its session, until it is deleted",
    async run(logins) {
      const [id, uid] = [randomUUID(), randomUUID()];
      const payload = { uid, accountId: "alice", params: { state: "s", nul: "\u0000" } };
      await logins.set({ kind: "Session", id, payload, until: Date.now() + 60_000 });
      expect(await logins.get("Session", id)).toEqual(payload);
      expect(await logins.getByUid("Session", uid)).toEqual(payload);
      expect(await logins.get("Interaction", id)).toBeUndefined();
      expect(await logins.getByUid("Interaction", uid)).toBeUndefined();
      await logins.set({ kind: "Session", id, payload: { uid, accountId: "bob" } });
      expect(await logins.get("Session", id)).toEqual({ uid, accountId: "bob" });
      await logins.delete("Session", id);
      expect([await logins.get("Session", id), await logins.getByUid("Session", uid)]).toEqual([undefined, undefined]);
    },
  },
  {
    title: "what is over is not there, and cannot be used",
    async run(logins) {
      const [id, uid] = [randomUUID(), randomUUID()];
      await logins.set({ kind: "AuthorizationCode", id, payload: { uid }, until: Date.now() - 1 });
      expect(await logins.consume("AuthorizationCode", id)).toBe(false);
      expect(await logins.get("AuthorizationCode", id)).toBeUndefined();
    },
  },
  {
    title: "what is good once is used once, however many try at the same time, and says so",
    async run(logins) {
      const id = randomUUID();
      await logins.set({ kind: "AuthorizationCode", id, payload: { grantId: "g" }, until: Date.now() + 60_000 });
      const tries = await Promise.all(Array.from({ length: 5 }, () => logins.consume("AuthorizationCode", id)));
      expect(tries.filter(Boolean)).toHaveLength(1);
      expect(await logins.get("AuthorizationCode", id)).toEqual({ grantId: "g", consumed: expect.any(Number) });
      expect(await logins.consume("AuthorizationCode", randomUUID())).toBe(false);
    },
  },
  {
    title: "all that came out of a grant goes with it, and nothing else",
    async run(logins) {
      const [mine, other] = [randomUUID(), randomUUID()];
      for (const [kind, grantId] of [
        ["AuthorizationCode", mine],
        ["RefreshToken", mine],
        ["RefreshToken", other],
      ] as const)
        await logins.set({ kind, id: `${kind} of ${grantId}`, payload: { grantId }, until: Date.now() + 60_000 });
      await logins.deleteGrant(mine);
      expect(await logins.get("AuthorizationCode", `AuthorizationCode of ${mine}`)).toBeUndefined();
      expect(await logins.get("RefreshToken", `RefreshToken of ${mine}`)).toBeUndefined();
      expect(await logins.get("RefreshToken", `RefreshToken of ${other}`)).toEqual({ grantId: other });
    },
  },
  {
    title: "an id may be as long as it likes, and hold any character",
    async run(logins) {
      const id = `\u0000'"${"x".repeat(100_000)}${randomUUID()}`;
      expect(await logins.get("AccessToken", id)).toBeUndefined();
      await logins.set({ kind: "AccessToken", id, payload: {} });
      expect(await logins.get("AccessToken", id)).toEqual({});
    },
  },
];
