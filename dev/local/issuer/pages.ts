/** The issuer's two pages: choose an operator, and a request that cannot be answered. No script, no outside resource. */
import { LOCAL_OPERATORS } from './operators.ts';

/** Policy of both pages; the dashboard that a form leads on to has the issuer's own origin. */
export const PAGE_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

const STYLE = `
:root{color-scheme:light dark}
body{margin:0;min-height:100vh;display:grid;place-items:center;background:light-dark(#f1f3f6,#121417);color:light-dark(#1a1c1f,#e6e8eb);font:16px/1.5 system-ui,sans-serif}
main{box-sizing:border-box;width:100%;max-width:26rem;padding:2rem;background:light-dark(#fff,#1d2024);border:1px solid light-dark(#d3d7de,#3d434c);border-radius:16px}
h1{margin:0 0 .5rem;font-size:1.4rem}
fieldset{margin:1rem 0;padding:0;border:0}
label{display:flex;gap:.6rem;align-items:center;padding:.4rem 0}
button{width:100%;min-height:44px;border:0;border-radius:999px;background:light-dark(#0b57d0,#a8c7fa);color:light-dark(#fff,#062e6f);font:inherit;font-weight:600;cursor:pointer}
p{margin:.5rem 0;color:light-dark(#545a63,#aab0ba)}
`;

/** The sign-in page; its form posts back to the address it was shown at, query and all. */
export function signInPage(): string {
  const choices = LOCAL_OPERATORS.map(
    ({ subject, email }, index) =>
      `<label><input type="radio" name="operator" value="${subject}"${index === 0 ? ' checked' : ''}> ${email}</label>`,
  ).join('\n');
  return page(
    'Sign in',
    `<h1>Sign in to the dashboard</h1>
<p>This gateway runs on this computer, so you need no password. In a deployed gateway, operators sign in with Cognito.</p>
<form method="post">
<fieldset><legend>Operator</legend>
${choices}
</fieldset>
<button type="submit">Sign in as operator</button>
</form>`,
  );
}

/** @param message plain text of ours */
export function problemPage(message: string): string {
  return page('Sign-in failed', `<h1>This sign-in cannot continue</h1>\n<p>${message}</p>`);
}

function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title><link rel="icon" href="data:,"><style>${STYLE}</style></head>
<body><main>
${body}
</main></body>
</html>
`;
}
