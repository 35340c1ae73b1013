// Decides which files of the repository are checked.

const checked = [
  /^[A-Z]+\.md$/,
  /^docs\/.*\.md$/,
  /^packages\/[^/]+\/(?:.*\/)?[^/]+\.md$/,
  /^packages\/[^/]+\/src\/.*\.(?:tsx?|ya?ml)$/,
];

const spared = [
  // Tests and their fixtures quote what agents and clients send.
  /\.(?:test|fixture)\.tsx?$/,
  /\/generated\/|\.d\.ts$/,
  // Generated from help texts, faults of SDKs and runs; their sources are checked.
  /^docs\/(?:cli|known-sdk-faults|matrix\/details)\.md$/,
  // Quotes and compares the specification.
  /^docs\/spec\//,
];

export const isChecked = (file) =>
  checked.some((pattern) => pattern.test(file)) && !spared.some((pattern) => pattern.test(file));
