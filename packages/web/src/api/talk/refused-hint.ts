/** The command line has a flag for it; a page that could be made to go anywhere would be worth attacking. */
export const refusedHint =
  "The page does not contact a private address that only a card names. Use `assay send <url> --allow-host <host>` instead.";
