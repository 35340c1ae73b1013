import { h, ours, type SafeHtml } from "@assay/reporters/look";

/** What the browser holds every page to: nothing is loaded but our own style and script, which lie beside it. */
const policy =
  "default-src 'none'; style-src 'self' 'unsafe-inline'; script-src 'self'; base-uri 'none'; form-action 'none'";

/** By which a page of ours is known. */
export const siteMark = '<meta name="generator" content="assay matrix">';

interface PageFrame {
  readonly title: string;
  /** how far below the folder of the site the page lies: "" or "../" */
  readonly up: "" | "../";
  readonly header: SafeHtml;
  readonly main: SafeHtml;
  readonly footer: SafeHtml;
}

export const page = ({ title, up, header, main, footer }: PageFrame): string =>
  h`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
${ours(siteMark)}
<title>${title} · Assay</title>
<link rel="stylesheet" href="${up}style.css">
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header>${header}</header>
<main id="main">
${main}
</main>
<footer>${footer}</footer>
<script src="${up}script.js"></script>
</body>
</html>
`.text;
