import { createHash } from 'node:crypto'
import { escapeHtml } from '#kernel/html.ts'
import type { StoredMail } from './mailbox.ts'

/** Where the shop shows this sandbox. */
export const BASE = '/sandbox/mail'

const STYLE = `
:root{color-scheme:light dark;--paper:#f3f5f3;--surface:#fff;--ink:#121a18;--ink-2:#46524f;--line:#d9dfdc;--link:#0a5a63;--warn:#7a4d00;--warn-soft:#fff0d2;--focus:#0b5fd8}
@media (prefers-color-scheme:dark){:root{--paper:#0c1110;--surface:#141a19;--ink:#eef3f1;--ink-2:#b4c0bc;--line:#2a3432;--link:#7cd0d6;--warn:#f3c063;--warn-soft:#2c2210;--focus:#86bcff}}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans","Helvetica Neue",Arial,sans-serif;overflow-wrap:anywhere}
.note{padding:12px 16px;border-radius:12px;background:var(--warn-soft);color:var(--warn);font-weight:600;text-align:center}
main{max-width:48rem;margin:0 auto;padding:16px}
h1{margin:8px 0 16px;font-size:1.5rem;line-height:1.2;letter-spacing:-.02em}
h2{margin:24px 0 8px;font-size:1.125rem}
p{margin:0 0 12px}
a{color:var(--link)}
:focus-visible{outline:3px solid var(--focus);outline-offset:2px}
.bar{display:flex;flex-wrap:wrap;gap:8px;align-items:end;justify-content:space-between;margin:0 0 16px}
.bar form{display:flex;gap:8px;align-items:end}
label{display:block;font-size:.875rem;color:var(--ink-2)}
input,button{min-height:44px;padding:8px 12px;border:1px solid #87938f;border-radius:12px;background:var(--surface);color:var(--ink);font:inherit}
input{width:14rem;max-width:100%}
button{font-weight:600;cursor:pointer}
.mails{list-style:none;margin:0;padding:0;border:1px solid var(--line);border-radius:12px;background:var(--surface)}
.mails li+li{border-top:1px solid var(--line)}
.mails a{display:block;padding:12px 16px;color:inherit;text-decoration:none}
.mails a:hover b{text-decoration:underline}
.mails b,.mails span{display:block}
.quiet,.mails span{color:var(--ink-2);font-size:.875rem}
.card{padding:16px;border:1px solid var(--line);border-radius:12px;background:var(--surface)}
.links{margin:0;padding-block:8px;list-style:none}
.links a{display:inline-block;padding:8px 0}
iframe{display:block;width:100%;height:36rem;border:1px solid var(--line);border-radius:12px;background:#fff}
pre{margin:0;padding:16px;border:1px solid var(--line);border-radius:12px;background:var(--surface);white-space:pre-wrap;font:14px/1.5 ui-monospace,"SF Mono",Menlo,Consolas,monospace}
dl{display:grid;grid-template-columns:minmax(0,10rem) minmax(0,1fr);gap:4px 12px;margin:0;font-size:.875rem}
dt{color:var(--ink-2)}
dd{margin:0}
summary{min-height:44px;padding:8px 0;cursor:pointer;font-weight:600}
`

const STYLE_SOURCE = `'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`

/** No script at all, and nothing from elsewhere; the frame shows the mail itself, which has a stricter policy still. */
export const PAGE_POLICY = `default-src 'none'; style-src ${STYLE_SOURCE}; frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`

/** A mail is a stranger's document: it may style itself, and its links open in a new window. */
export const MAIL_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox allow-popups allow-popups-to-escape-sandbox"

export function listPage(mails: readonly StoredMail[], to: string): string {
  const rows = mails.map(
    (mail) =>
      `<li><a href="${BASE}/${mail.id}"><b><bdi>${escapeHtml(mail.subject || '(no subject)')}</bdi></b><span>To <bdi>${escapeHtml(mail.to.join(', '))}</bdi> · ${when(mail)}</span></a></li>`,
  )
  return page('Demo mailbox', [
    '<h1>Demo mailbox</h1>',
    '<div class="bar">',
    `<form action="${BASE}" method="get"><div><label for="to">To address</label><input id="to" name="to" type="search" autocomplete="off" value="${escapeHtml(to)}"></div><button type="submit">Show</button></form>`,
    mails.length === 0
      ? ''
      : `<form action="${BASE}/delete" method="post"><button type="submit">Delete all</button></form>`,
    '</div>',
    rows.length === 0
      ? '<p class="card">No mails here yet. What the shop sends shows up on this page; reload it to look again.</p>'
      : `<ul class="mails">${rows.join('\n')}</ul>`,
    `<h2>For programs</h2><p class="quiet"><a href="${BASE}.json">${BASE}.json</a> lists the same mails with text, HTML and links; <code>?to=</code> narrows it.</p>`,
  ])
}

export function mailPage(mail: StoredMail): string {
  return page(mail.subject || '(no subject)', [
    `<p><a href="${BASE}">All mails</a></p>`,
    `<h1><bdi>${escapeHtml(mail.subject || '(no subject)')}</bdi></h1>`,
    `<p class="quiet">From <bdi>${escapeHtml(mail.from)}</bdi><br>To <bdi>${escapeHtml(mail.to.join(', '))}</bdi><br>${when(mail)}</p>`,
    mail.links.length === 0
      ? ''
      : `<h2>Links</h2><ul class="links card">${mail.links.map((link) => `<li><a href="${escapeHtml(link)}" rel="noreferrer">${escapeHtml(link)}</a></li>`).join('')}</ul>`,
    mail.html === ''
      ? ''
      : `<h2>As shown</h2><iframe src="${BASE}/${mail.id}/html" title="The mail as shown" sandbox="allow-popups allow-popups-to-escape-sandbox"></iframe>`,
    `<h2>As text</h2><pre dir="auto">${escapeHtml(mail.text)}</pre>`,
    `<details><summary>Headers</summary><dl class="card">${mail.headers.map(({ name, value }) => `<dt>${escapeHtml(name)}</dt><dd>${escapeHtml(value)}</dd>`).join('')}</dl></details>`,
  ])
}

export function missingPage(): string {
  return page('Not here', [
    '<h1>That mail is not here</h1>',
    `<p>It may have been deleted. <a href="${BASE}">All mails</a></p>`,
  ])
}

function page(title: string, main: readonly string[]): string {
  return [
    '<!DOCTYPE html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="robots" content="noindex">',
    `<title>${escapeHtml(title)} · sandbox</title>`,
    `<style>${STYLE}</style>`,
    '</head>',
    '<body>',
    '<main>',
    '<p class="note" role="note">Sandbox. Demo mailbox: nothing here was sent.</p>',
    ...main.filter((part) => part !== ''),
    '</main>',
    '</body>',
    '</html>',
    '',
  ].join('\n')
}

function when(mail: StoredMail): string {
  return `<time datetime="${mail.receivedAt}">${mail.receivedAt.slice(0, 16).replace('T', ' ')} UTC</time>`
}
