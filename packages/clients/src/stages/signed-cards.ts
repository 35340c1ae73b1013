import { type HttpAnswer, type Layers, replyWith } from "@assay/agents/making";
import type { AgentCard, JsonObject, JsonValue } from "@assay/protocol";
import { signCard } from "@assay/protocol/signature";
import { createKeyPair } from "@assay/wire/key-pair";
import { cardPath } from "./cards.ts";

interface Signed {
  /** changes the card after signing */
  readonly change?: (card: JsonObject) => JsonObject;
  /** the key is not published */
  readonly withdrawn?: true;
  /** an optional member has its default value on the card, and is signed with it */
  readonly explicit?: true;
}

const kid = "assay-situation-1";
const keysPath = "/.well-known/jwks.json";

/**
 * Signs the card of an agent and publishes the key next to it. No member has its default value, so all readings of the
 * signed bytes agree (AMB-22).
 */
export function signedCard({ change = (card) => card, withdrawn, explicit }: Signed = {}): Layers {
  const { privateKey, publicKey } = createKeyPair("P-256");
  const published = {
    ...publicKey.export({ format: "jwk" }),
    kid: withdrawn ? "another" : kid,
    use: "sig",
    alg: "ES256",
  };
  const other = createKeyPair("P-256").publicKey.export({ format: "jwk" });
  const keys = JSON.stringify({
    keys: [withdrawn ? { ...other, kid: "another", use: "sig", alg: "ES256" } : published],
  });

  const sign = async ({ status, headers, body }: HttpAnswer, jku: string): Promise<HttpAnswer> => {
    const bare = withoutDefaults(JSON.parse(String(body)) as JsonObject) as JsonObject;
    const capabilities = { ...(bare["capabilities"] as JsonObject | undefined), pushNotifications: false };
    const card = explicit ? { ...bare, capabilities } : bare;
    // The 1.0 dialect wrote this card, so the type is correct.
    const signature = await signCard(card as unknown as AgentCard, { key: privateKey, alg: "ES256", kid, jku });
    const { ETag: _ofAnother, ...others } = headers;
    return { status, headers: others, body: JSON.stringify(change({ ...card, signatures: [{ ...signature }] })) };
  };

  return {
    http: (serve) => (request, reply) => {
      if (request.path.endsWith(keysPath))
        return reply.send(200, { "Content-Type": "application/json", "Cache-Control": "no-store" }, keys);
      if (!cardPath.test(request.path)) return serve(request, reply);
      const jku = `http://${request.headers.host}${request.path.replace(cardPath, keysPath)}`;
      const send = (...[status, headers, body]: Parameters<typeof reply.send>): void => {
        if (status !== 200) reply.send(status, headers, body);
        else
          void sign({ status, headers, body }, jku).then((answer) =>
            reply.send(answer.status, answer.headers, answer.body),
          );
      };
      return serve(request, replyWith(reply, { send }));
    },
  };
}

/** Removes members with default values: false, "", empty lists and objects. */
function withoutDefaults(value: JsonValue): JsonValue | undefined {
  if (Array.isArray(value)) return value.length ? value.map((item) => withoutDefaults(item) ?? item) : undefined;
  if (typeof value !== "object" || value === null) return value === false || value === "" ? undefined : value;
  const kept = Object.entries(value).flatMap(([name, content]) => {
    const left = withoutDefaults(content!);
    return left === undefined ? [] : [[name, left] as const];
  });
  return kept.length ? Object.fromEntries(kept) : undefined;
}

/** Returns the same card with its members in reverse order and different whitespace. */
export const rewritten = (card: JsonObject): JsonObject => Object.fromEntries(Object.entries(card).toReversed());
