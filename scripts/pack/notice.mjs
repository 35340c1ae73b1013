/** Returns NOTICE: the bundled packages, each with its licence and the licence text. */
export const noticeOf = (parts) =>
  [
    "Assay is licensed under the Apache License 2.0 (LICENSE). The following packages are part of its bundle.",
    ...parts.map(({ name, version, license, homepage, text }) =>
      [
        `${name} ${version} (${license})`,
        ...(homepage ? [homepage] : []),
        text ?? "The package carries no text of its licence.",
      ].join("\n\n"),
    ),
  ].join(`\n\n${"-".repeat(80)}\n\n`);
