import type { CardFinding, NormalisedCard } from "@assay/protocol";
import { connectionOptions } from "@assay/suite/options";
import { program } from "./connection/option-caller.ts";
import { type ConnectionOptions, valuesIn } from "./options.ts";

/** The content of an Agent Card and its problems. */
export interface CheckedCard {
  /** where Assay found the card; absent if the caller passed the card itself */
  readonly url?: string;
  /** the original JSON of the card */
  readonly card: Readonly<Record<string, unknown>>;
  /** the protocol versions of the card, each with the reason why Assay assumes it */
  readonly dialects: NormalisedCard["dialects"];
  readonly interfaces: NormalisedCard["interfaces"];
  readonly findings: readonly CardFinding[];
  /** true if no finding is an error */
  readonly valid: boolean;
}

/** Checks an Agent Card: a card that the caller passes, or the one of the agent at this address. */
export async function checkCard(
  card: string | Readonly<Record<string, unknown>>,
  options: ConnectionOptions = {},
): Promise<CheckedCard> {
  const { checkCardAt, judgedCard } = await import("./connection/check-card-at.ts");
  if (typeof card !== "string") return judgedCard(card);
  const { connect } = await import("./connection/connection.ts");
  const connection = await connect(card, valuesIn(connectionOptions, options), program);
  try {
    return await checkCardAt(card, connection);
  } finally {
    await connection.clients.close();
  }
}
