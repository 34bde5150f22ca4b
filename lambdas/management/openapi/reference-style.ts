/** Style of the reference page: light and dark, from 320 px, no image and no font of its own. */
export const REFERENCE_STYLE = `
:root{color-scheme:light dark;--ink:light-dark(#1a1c1f,#e6e8eb);--soft:light-dark(#545a63,#aab0ba);--paper:light-dark(#fff,#121417);--ground:light-dark(#f4f6f9,#1d2024);--line:light-dark(#d3d7de,#3d434c);--accent:light-dark(#0b57d0,#a8c7fa)}
*{box-sizing:border-box}
html{scroll-padding-top:16px}
body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"Open Sans",sans-serif;-webkit-text-size-adjust:100%}
.page{display:grid;grid-template-columns:260px minmax(0,1fr);max-width:1200px;margin:0 auto}
nav{position:sticky;top:0;align-self:start;max-height:100vh;overflow-y:auto;padding:32px 16px;border-right:1px solid var(--line);font-size:.875rem}
nav h2{margin:20px 0 4px;font-size:.8125rem;color:var(--soft);font-weight:600}
nav ul{margin:0;padding:0;list-style:none}
nav a{display:block;padding:3px 8px;border-radius:6px;color:inherit;text-decoration:none}
nav a:hover{background:var(--ground)}
main{padding:32px;overflow-wrap:anywhere}
h1{margin:0 0 4px;font-size:1.75rem;line-height:1.2}
main>section>h2{margin:48px 0 4px;font-size:1.375rem}
h3{margin:0;font-size:1.0625rem}
h4{margin:20px 0 4px;font-size:.9375rem}
p{margin:8px 0;max-width:72ch}
a{color:var(--accent)}
a:focus-visible,summary:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
code,pre{font:.8125rem/1.5 ui-monospace,SFMono-Regular,Menlo,monospace}
p code,td code,li code{padding:1px 4px;border-radius:4px;background:var(--ground)}
pre{margin:4px 0 12px;padding:12px 16px;border:1px solid var(--line);border-radius:10px;background:var(--ground);overflow-x:auto;max-height:420px}
article{margin:24px 0;padding:24px 0 0;border-top:1px solid var(--line)}
.call{display:flex;flex-wrap:wrap;gap:8px;align-items:baseline;margin:4px 0 8px}
.method{padding:1px 8px;border:1px solid var(--line);border-radius:6px;font-weight:700}
.soft{color:var(--soft)}
.scroll{overflow-x:auto}
table{border-collapse:collapse;width:100%;font-size:.9375rem}
th,td{padding:6px 12px 6px 0;border-bottom:1px solid var(--line);text-align:left;vertical-align:top;overflow-wrap:normal}
th{font-weight:600;color:var(--soft);font-size:.8125rem}
td:first-child{white-space:nowrap}
summary{cursor:pointer;padding:4px 0;border-radius:4px}
@media (max-width:800px){.page{display:block}nav{position:static;max-height:none;border-right:0;border-bottom:1px solid var(--line)}main{padding:24px 16px}td:first-child{white-space:normal}}
`;
