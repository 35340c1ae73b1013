import { jsonText, markup, markupLines } from "@assay/suite/text";
import { script, scriptDigest, style, styleDigest } from "#asset";

/** The content of a page that opens from a file, without a server. */
export interface StaticPage {
  /** the title of the browser tab */
  readonly title: string;
  /** the route that it opens first: "#/runs/2026-11-15T08-14-02" */
  readonly start: string;
  /** responses of the API by their paths: `{ "/api/runs/2026-11-15T08-14-02": report }` */
  readonly data: Readonly<Record<string, unknown>>;
  /** plain text, for readers without JavaScript */
  readonly summary: string;
  /** the generator name by which Assay recognises its own pages before it overwrites them */
  readonly generator?: string;
  /** the folder of `viewerAssets` on a site of many pages; without it, the file contains the application */
  readonly assets?: ViewerAssets | undefined;
}

/** The folder of the site, relative to the page. */
export type ViewerAssets = "" | "../";

/** The application as files for a site of many pages, because a copy in each page would add about 260 kB. */
export const viewerAssets: readonly (readonly [path: string, text: string])[] = [
  ["viewer.js", script],
  ["viewer.css", style],
];

/**
 * Returns a policy that protects the page if text of an agent ever gets where it does not belong. It allows only our
 * own script and style, by their digests. No text becomes markup (`trusted-types 'none'`).
 */
const policyWith = (scripts: string, styles: string): readonly string[] => [
  "default-src 'none'",
  `script-src ${scripts}`,
  `style-src ${styles}`,
  "base-uri 'none'",
  "form-action 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
];

const policy = policyWith(`'sha256-${scriptDigest}'`, `'sha256-${styleDigest}'`);

/** The policy for pages of a site: browsers do not accept a digest for a script in a separate file. */
const sitePolicy = [...policyWith("'self'", "'self'"), "img-src 'self'"];

/** The policy of the page that `assay ui` serves: it may send requests only to its own server. */
export const servedPolicy: readonly string[] = [...policy, "img-src 'self'", "connect-src 'self'"];

/** Returns the viewer with its data in one file that needs no server and no network. */
export const viewerPage = ({ title, start, data, summary, generator, assets }: StaticPage): string =>
  pageOf({
    attributes: ` data-start="${markup(start)}"`,
    head: `<meta http-equiv="Content-Security-Policy" content="${(assets === undefined ? policy : sitePolicy).join("; ")}">${generator === undefined ? "" : `\n<meta name="generator" content="${markup(generator)}">`}`,
    assets,
    title,
    withoutScript: `<pre>${markupLines(summary)}</pre>`,
    data: Object.entries(data)
      .map(([path, answer]) => `<script type="application/json" id="${markup(path)}">${inertJson(answer)}</script>\n`)
      .join(""),
  });

/** Returns the viewer that `assay ui` serves. It loads its data from the API. */
export const servedPage = (): string =>
  pageOf({
    attributes: "",
    head: '<link rel="icon" href="./icon.svg" type="image/svg+xml">',
    title: "Assay",
    withoutScript:
      "This page needs JavaScript. <code>assay report last --report markdown=report.md</code> writes a report that does not.",
    data: "",
  });

interface PageParts {
  readonly attributes: string;
  readonly head: string;
  readonly title: string;
  readonly withoutScript: string;
  readonly data: string;
  readonly assets?: ViewerAssets | undefined;
}

const pageOf = ({ attributes, head, title, withoutScript, data, assets }: PageParts): string => `<!DOCTYPE html>
<html lang="en"${attributes}>
<head>
<meta charset="utf-8">
${head}
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${markup(title)}</title>
${assets === undefined ? `<style>${style}</style>` : `<link rel="stylesheet" href="${assets}viewer.css">`}
</head>
<body>
<div id="page"></div>
<noscript>${withoutScript}</noscript>
${data}${assets === undefined ? `<script>${script}</script>` : `<script src="${assets}viewer.js"></script>`}
</body>
</html>
`;

/** Escapes every `<`, so that no value can close the surrounding element. */
const inertJson = (value: unknown): string => jsonText(value).replaceAll("<", "\\u003c");
