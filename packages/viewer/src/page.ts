import { jsonText, markup, markupLines } from "@assay/suite/text";
import { script, scriptDigest, style, styleDigest } from "#asset";

/** What a page shows that needs no server: it opens from a file. */
export interface StaticPage {
  /** in the tab of the browser */
  readonly title: string;
  /** the place at which it opens: "#/runs/2026-11-15T08-14-02" */
  readonly start: string;
  /** answers of the API by their paths: `{ "/api/runs/2026-11-15T08-14-02": report }` */
  readonly data: Readonly<Record<string, unknown>>;
  /** plain text, for readers without JavaScript */
  readonly summary: string;
}

/**
 * Restricts the browser in case text of an agent ever gets where it does not belong: our script and our style, by their
 * digests, and nothing else. No text becomes markup (`trusted-types 'none'`).
 */
const policy = [
  "default-src 'none'",
  `script-src 'sha256-${scriptDigest}'`,
  `style-src 'sha256-${styleDigest}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
];

/** The policy of the page that `assay ui` serves: it may ask its own server, and nobody else. */
export const servedPolicy: readonly string[] = [...policy, "img-src 'self'", "connect-src 'self'"];

/** The viewer with its data in the file: no server, no network. */
export const viewerPage = ({ title, start, data, summary }: StaticPage): string =>
  pageOf({
    attributes: ` data-start="${markup(start)}"`,
    head: `<meta http-equiv="Content-Security-Policy" content="${policy.join("; ")}">`,
    title,
    withoutScript: `<pre>${markupLines(summary)}</pre>`,
    data: Object.entries(data)
      .map(([path, answer]) => `<script type="application/json" id="${markup(path)}">${inertJson(answer)}</script>\n`)
      .join(""),
  });

/** The viewer as `assay ui` serves it: it asks the API for what it shows. */
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
}

const pageOf = ({ attributes, head, title, withoutScript, data }: PageParts): string => `<!DOCTYPE html>
<html lang="en"${attributes}>
<head>
<meta charset="utf-8">
${head}
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${markup(title)}</title>
<style>${style}</style>
</head>
<body>
<div id="page"></div>
<noscript>${withoutScript}</noscript>
${data}<script>${script}</script>
</body>
</html>
`;

/** No `<`, so nothing in it ends the element it stands in. */
const inertJson = (value: unknown): string => jsonText(value).replaceAll("<", "\\u003c");
