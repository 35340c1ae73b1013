import { createRequire } from "node:module";

const name = "oidc-provider";
let installed: boolean | undefined;

/** Returns true if the OAuth library is installed. It is not loaded here, because loading is slow. */
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
