/** For `bin/assay.js`, which loads nothing else where the version alone is asked for. */
export { version } from "@assay/library/version";
