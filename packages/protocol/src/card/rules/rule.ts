import type { CardFinding } from "../finding.ts";
import type { ReadCard } from "../read.ts";

/** One concern about cards. It yields what it finds, in the order of the document. */
export type CardRule = (card: ReadCard) => Iterable<CardFinding>;
