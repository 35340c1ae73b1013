import { createRequire } from "node:module";

const name = "oidc-provider";
let installed: boolean | undefined;

/** Whether there is a library to serve OAuth with. It is found without being loaded: loading takes its time. */
export function isOidcInstalled(): boolean {
  installed ??= canResolve();
  return installed;
}

function canResolve(): boolean {
  try {
    createRequire(import.meta.url).resolve(name);
    return true;
  } catch {
    return false;
  }
}

export const howToInstall = `OAuth needs the package ${name}. Install it: npm install ${name}`;
