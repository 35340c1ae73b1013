/** How long the user must be willing to wait, for rules about absence that take as long as that. */
export const patienceMs = 60_000;
