import type { CardFinding } from "../finding.ts";
import type { ReadCard } from "../read.ts";

/** One concern about cards. Yields its findings in document order. */
export type CardRule = (card: ReadCard) => Iterable<CardFinding>;
