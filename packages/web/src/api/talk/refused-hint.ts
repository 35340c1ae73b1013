/** Points to the command line. If the page could contact any private address, attackers would use it for that. */
export const refusedHint =
  "The page does not contact a private address that only a card names. Use `assay send <url> --allow-host <host>` instead.";
