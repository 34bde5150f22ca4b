/** Escapes text for HTML element content and double-quoted attributes. */
export function escapeHtml(value: string): string {
  return value
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

/** Colours of every page of the simulator, light and dark. */
export const PAGE_COLOURS = `
:root { color-scheme: light dark; --page: #f0f4f9; --card: #fff; --text: #1f1f1f; --soft: #5f6368; --line: #dadce0;
  --action: #0b57d0; --on-action: #fff; --hover: #e8f0fe; --note: #fef7e0; --on-note: #594300; }
@media (prefers-color-scheme: dark) { :root { --page: #131314; --card: #1e1f20; --text: #e3e3e3; --soft: #b4b8bd;
  --line: #444746; --action: #a8c7fa; --on-action: #062e6f; --hover: #2a2d31; --note: #3b3420; --on-note: #fbe7a8; } }`;

const STYLE = `${PAGE_COLOURS}
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--text); font: 1rem/1.5 system-ui, sans-serif; }
main { max-width: 30rem; margin: 2rem auto; padding: 1.75rem; background: var(--card); border: 1px solid var(--line);
  border-radius: 1rem; overflow-wrap: anywhere; }
@media (max-width: 34rem) { main { margin: 0; min-height: 100vh; border: 0; border-radius: 0; padding: 1.25rem; } }
h1 { font-size: 1.4rem; font-weight: 500; line-height: 1.3; margin: 0 0 .75rem; }
p { margin: 0 0 1rem; } .soft { color: var(--soft); font-size: .9rem; }
.note { background: var(--note); color: var(--on-note); border-radius: .5rem; padding: .4rem .75rem; font-size: .85rem; }
ul { list-style: none; margin: 0 0 1.25rem; padding: 0; } li { border-bottom: 1px solid var(--line); }
label { display: flex; gap: .75rem; padding: .75rem .25rem; cursor: pointer; align-items: flex-start; }
input[type=checkbox], input[type=radio] { width: 1.2rem; height: 1.2rem; margin: .15rem 0 0; accent-color: var(--action); flex: none; }
.plain { padding: .75rem .25rem; }
button { font: inherit; cursor: pointer; border-radius: 1.5rem; padding: .55rem 1.5rem; border: 1px solid var(--line);
  background: transparent; color: var(--action); }
button:hover { background: var(--hover); }
button.main { background: var(--action); border-color: var(--action); color: var(--on-action); }
button.account { display: block; width: 100%; text-align: left; border: 0; border-radius: .5rem; padding: .7rem .5rem;
  color: var(--text); }
button.account span { display: block; color: var(--soft); font-size: .9rem; }
button.link { border: 0; padding: .2rem .4rem; border-radius: .3rem; }
.bar { position: sticky; bottom: 0; background: var(--card); padding: .75rem 0; }
.row { display: flex; gap: .75rem; justify-content: flex-end; flex-wrap: wrap; }
:focus-visible { outline: 3px solid var(--action); outline-offset: 2px; }
code { font-size: .9em; }
`;

/** A whole page around escaped `body` markup; needs no script and fits a phone or a popup. */
export function pageLayout(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<p class="note">Google simulator: made-up accounts, nothing leaves this machine.</p>
${body}
</main>
</body>
</html>
`;
}
