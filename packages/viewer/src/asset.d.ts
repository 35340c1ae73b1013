/** Made by `scripts/viewer.mjs` from `src/app/main.tsx`: `dist/asset.js`. Never committed. */

/** The whole application, minified. */
export const script: string;
export const style: string;
/** SHA-256 in base64, as a Content-Security-Policy names them. */
export const scriptDigest: string;
export const styleDigest: string;
/** An SVG picture. */
export const icon: string;
