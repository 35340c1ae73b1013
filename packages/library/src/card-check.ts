import type { CardFinding, NormalisedCard } from "@assay/protocol";
import { connectionOptions } from "@assay/suite/options";
import { program } from "./connection/option-caller.ts";
import { type ConnectionOptions, valuesIn } from "./options.ts";

/** The content of an Agent Card and its problems. */
export interface CheckedCard {
  /** where Assay found the card; absent if the caller passed the card itself */
  readonly url?: string;
  /** as it was written */
  readonly card: Readonly<Record<string, unknown>>;
  /** the protocol versions it is written for, each with the reason */
  readonly dialects: NormalisedCard["dialects"];
  readonly interfaces: NormalisedCard["interfaces"];
  readonly findings: readonly CardFinding[];
  /** no finding is an error */
  readonly valid: boolean;
}

/** Checks an Agent Card: the one of the agent at this address, or one that is at hand. */
export async function checkCard(
  card: string | Readonly<Record<string, unknown>>,
  options: ConnectionOptions = {},
): Promise<CheckedCard> {
  const { lintCard, normaliseCard } = await import("@assay/protocol");
  const { json, url, normal }: FoundOrGiven =
    typeof card === "string" ? await fetchedCard(card, options) : { json: card, normal: normaliseCard(card) };
  const { dialects, interfaces } = normal;
  const findings = lintCard(json);
  return {
    ...(url !== undefined && { url }),
    card: json,
    dialects,
    interfaces,
    findings,
    valid: !findings.some(({ level }) => level === "error"),
  };
}

interface FoundOrGiven {
  readonly json: Readonly<Record<string, unknown>>;
  readonly url?: string;
  readonly normal: NormalisedCard;
}

async function fetchedCard(address: string, options: ConnectionOptions): Promise<FoundOrGiven> {
  const { connect, findCard, readCard } = await import("./connection/connection.ts");
  const connection = await connect(address, valuesIn(connectionOptions, options), program);
  try {
    const found = await findCard(address, connection);
    return { json: found.json, url: found.url, normal: await readCard(connection, found) };
  } finally {
    await connection.clients.close();
  }
}
