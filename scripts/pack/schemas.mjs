/** The folders with the package's JSON Schemas. A release freezes them (`npm run generate -- release`). */
export const schemaFolders = ["suite", "cli", "scenarios", "fleet", "matrix"].map((name) => `packages/${name}/schemas`);
