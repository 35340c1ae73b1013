/**
 * What an agent owes without being asked once more: that a stream closes, a webhook is told, a list or a read shows what was
 * written, a cancel comes about. How long it takes for each is a matter of its own.
 */
export type Due = "close" | "notify" | "list" | "read" | "cancel";
