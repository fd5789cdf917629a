import { createHash } from 'node:crypto'
import { OTHER, PEOPLE, type DemoPerson, type Typed } from './people.ts'

const STYLE = `
:root{color-scheme:light dark;--paper:#f3f5f3;--surface:#fff;--ink:#121a18;--ink-2:#46524f;--line:#d9dfdc;--line-strong:#87938f;--warn:#7a4d00;--warn-soft:#fff0d2;--bad:#b3261e;--focus:#0b5fd8}
@media (prefers-color-scheme:dark){:root{--paper:#0d1312;--surface:#151d1b;--ink:#f2f6f4;--ink-2:#b9c5c1;--line:#2b3634;--line-strong:#74817d;--warn:#ffd58a;--warn-soft:#33260a;--bad:#ffb4a9;--focus:#8ab8ff}}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:1rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",Arial,sans-serif}
main{max-inline-size:30rem;margin-inline:auto;padding:1.5rem 1rem 3rem}
h1{font-size:1.5rem;line-height:1.2;margin:1rem 0 .25rem}
p{margin:0 0 1rem}
.mark{background:var(--warn-soft);color:var(--warn);border-radius:.5rem;padding:.625rem .75rem;font-weight:600}
.quiet{color:var(--ink-2)}
.wrong{color:var(--bad);font-weight:600}
fieldset{border:0;margin:0 0 1rem;padding:0;min-inline-size:0}
legend{font-weight:600;padding:0;margin-block-end:.5rem}
.person{display:flex;gap:.75rem;align-items:center;min-block-size:2.75rem;padding:.625rem .75rem;background:var(--surface);border:1px solid var(--line);border-radius:.5rem;margin-block-end:.5rem}
.person:has(:checked){border-color:var(--ink)}
.person b,.person span{display:block;overflow-wrap:anywhere}
.person b{color:var(--ink);font-size:1rem}
.person span{color:var(--ink-2);font-size:.875rem}
input[type=radio],input[type=checkbox]{inline-size:1.25rem;block-size:1.25rem;flex:none;accent-color:var(--ink)}
.typed{padding-inline-start:.75rem;border-inline-start:2px solid var(--line)}
.typed label{display:block;font-weight:600;margin-block:.75rem .25rem}
.typed .tick{display:flex;gap:.75rem;align-items:center;font-weight:400;min-block-size:2.75rem;margin-block:.25rem 0}
.typed input:not([type=checkbox]){inline-size:100%;min-block-size:2.75rem;padding:.5rem .75rem;font:inherit;color:inherit;background:var(--surface);border:1px solid var(--line-strong);border-radius:.5rem}
.actions{display:flex;flex-wrap:wrap;gap:.75rem}
button{flex:1 1 10rem;min-block-size:2.75rem;padding:.5rem 1rem;font:inherit;font-weight:600;border-radius:.5rem;border:1px solid var(--line-strong);background:var(--surface);color:inherit;cursor:pointer}
button.go{background:var(--ink);border-color:var(--ink);color:var(--paper)}
:focus-visible{outline:3px solid var(--focus);outline-offset:2px}
`

/** Nothing but the page's own style; forms go to this origin alone. */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex',
}

/** The page that asks who to be. Works without script; `wrong` says what the last try lacked, and what was typed stays. */
export function choicePage(shop: string, typed: Typed, wrong: string): string {
  return page('Sign in with Demo ID', `
<h1>Sign in with Demo ID</h1>
<p class="quiet">${escaped(shop)} asks for your name and email address. Choose who you want to be.</p>
<form method="post">
${wrong === '' ? '' : `<p class="wrong" role="alert">${escaped(wrong)}</p>`}
<fieldset>
<legend>Person</legend>
${PEOPLE.map((person) => choice(person, typed.person)).join('\n')}
<label class="person"><input type="radio" name="person" value="${OTHER}"${typed.person === OTHER ? ' checked' : ''}><span><b>Someone else</b><span>Type who below</span></span></label>
<div class="typed">
<label for="email">Email</label>
<input id="email" name="email" type="email" autocomplete="email" maxlength="254" value="${escaped(typed.email)}">
<label for="name">Name</label>
<input id="name" name="name" type="text" autocomplete="name" maxlength="100" value="${escaped(typed.name)}">
<label class="tick"><input name="verified" type="checkbox" value="1"${typed.verified ? ' checked' : ''}>Demo ID has verified this address</label>
</div>
</fieldset>
<div class="actions">
<button class="go" type="submit" name="decision" value="allow">Continue</button>
<button type="submit" name="decision" value="refuse" formnovalidate>Cancel</button>
</div>
</form>`)
}

export function problemPage(sentence: string): string {
  return page('Demo ID', `\n<h1>This sign-in cannot go on</h1>\n<p>${escaped(sentence)}</p>\n<p class="quiet">Go back to the shop and start it again.</p>`)
}

function choice(person: DemoPerson, chosen: string): string {
  const about = person.email === '' ? 'No email address' : `${person.email}${person.emailVerified ? '' : ', not verified'}`
  return `<label class="person"><input type="radio" name="person" value="${person.subject}"${chosen === person.subject ? ' checked' : ''}><span><b>${escaped(person.name)}</b><span>${escaped(about)}</span></span></label>`
}

function page(title: string, content: string): string {
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>
<link rel="icon" href="/icon.svg" type="image/svg+xml">
<style>${STYLE}</style>
</head>
<body>
<main>
<p class="mark">Demo sign-in service: not a real one. Nobody checks who you are here.</p>${content}
</main>
</body>
</html>
`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
