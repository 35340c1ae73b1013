import { h, ours, type SafeHtml } from "./safe-html.ts";

/** What the browser holds every page of a site to: nothing is loaded but our own style, scripts and pictures, which lie beside it. */
const policy =
  "default-src 'none'; style-src 'self' 'unsafe-inline'; script-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'";

interface PageFrame {
  /** by which a page of the site is known */
  readonly mark: string;
  readonly title: string;
  /** how far below the folder of the site the page lies: "" or "../" */
  readonly up: "" | "../";
  readonly header: SafeHtml;
  readonly main: SafeHtml;
  readonly footer: SafeHtml;
  /** scripts that lie beside the page, in their order */
  readonly scripts?: readonly string[];
  /** the style sheet itself, for a page that stands alone */
  readonly style?: string;
}

/** A page of a site of files: it needs no server and no network. */
export const sitePage = ({ mark, title, up, header, main, footer, style, scripts = [] }: PageFrame): string =>
  h`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
${ours(mark)}
<title>${title} · Assay</title>
${style === undefined ? h`<link rel="stylesheet" href="${up}style.css">` : h`<style>${ours(style)}</style>`}
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header>${header}</header>
<main id="main">
${main}
</main>
<footer>${footer}</footer>
${scripts.map((script) => h`<script src="${up}${script}"></script>\n`)}</body>
</html>
`.text;
