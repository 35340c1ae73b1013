/**
 * Set by `npm run prove` and `npm run test:<name>`, which take their time: everything is tried, where `npm test` tries a
 * sample of it. What each of them adds stands where this is read.
 */
export const provesAll = process.env["ASSAY_PROVE"] === "all";
