import { escapeHtml } from "../html.ts";
import { secureCallers } from "../secure-callers.ts";

const page = (title: string, body: string): string => `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>${title} · Assay test bed</title>
  <style>
    :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
    body { max-width: 26rem; margin: 4rem auto; padding: 0 1.5rem; }
    label { display: block; margin: 1rem 0; }
    input { display: block; width: 100%; box-sizing: border-box; font: inherit; padding: .4rem .6rem; }
    button { font: inherit; padding: .4rem 1.2rem; }
    [role="alert"] { font-weight: 600; }
  </style>
</head>
<body>
  <h1>${title}</h1>
  ${body}
</body>
</html>
`;

/** The login page. The passwords are test data, and the page lists them. */
export function loginPage(isRefused: boolean): string {
  const known = secureCallers.map(({ name, password }) => `<code>${name}</code> with <code>${password}</code>`);
  return page(
    "Log in to /secure",
    `${isRefused ? '<p role="alert">Unknown caller, or wrong password.</p>' : ""}
  <p>The client that sent you here may then act for you.</p>
  <form method="post">
    <label>Name <input name="name" autocomplete="username" required autofocus></label>
    <label>Password <input name="password" type="password" autocomplete="current-password" required></label>
    <button>Log in</button>
  </form>
  <p>Test data: ${known.join(", ")}.</p>`,
  );
}

export const errorPage = (error: string, description = ""): string =>
  page("This did not work", `<p role="alert">${escapeHtml(`${error}: ${description}`)}</p>`);
