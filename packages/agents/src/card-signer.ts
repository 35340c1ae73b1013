import type { AgentCard } from "@assay/protocol";
import type { GenerateKeyPairResult } from "jose";

/** Signs cards with a key made at start-up, and publishes its public half. */
export class CardSigner {
  readonly #kid = "assay-test-bed-1";
  #keys: Promise<GenerateKeyPairResult> | undefined;

  async sign(card: AgentCard, baseUrl: string): Promise<AgentCard> {
    const { signCard } = await import("@assay/protocol/signature");
    const { privateKey } = await this.#pair();
    const jku = `${baseUrl}/.well-known/jwks.json`;
    return { ...card, signatures: [await signCard(card, { key: privateKey, alg: "ES256", kid: this.#kid, jku })] };
  }

  async jwks(): Promise<string> {
    const { exportJWK } = await import("jose");
    const jwk = await exportJWK((await this.#pair()).publicKey);
    return JSON.stringify({ keys: [{ ...jwk, kid: this.#kid, use: "sig", alg: "ES256" }] });
  }

  // Made on first use: most runs never ask for a signed card, and a start should cost nothing.
  #pair(): Promise<GenerateKeyPairResult> {
    this.#keys ??= import("jose").then(({ generateKeyPair }) => generateKeyPair("ES256"));
    return this.#keys;
  }
}
