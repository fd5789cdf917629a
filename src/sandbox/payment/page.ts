import { createHash } from 'node:crypto'
import type { Session } from './book.ts'
import type { Outcome } from './outcomes.ts'

const STYLE = `
:root{color-scheme:light dark;--paper:#f3f5f3;--surface:#fff;--ink:#121a18;--ink-2:#46524f;--line:#d9dfdc;--line-strong:#87938f;--warn:#7a4d00;--warn-soft:#fff0d2;--bad:#b3261e;--focus:#0b5fd8}
@media (prefers-color-scheme:dark){:root{--paper:#0d1312;--surface:#151d1b;--ink:#f2f6f4;--ink-2:#b9c5c1;--line:#2b3634;--line-strong:#74817d;--warn:#ffd58a;--warn-soft:#33260a;--bad:#ffb4a9;--focus:#8ab8ff}}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:1rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",Arial,sans-serif}
main{max-inline-size:30rem;margin-inline:auto;padding:1.5rem 1rem 3rem}
h1{font-size:2rem;line-height:1.2;margin:1rem 0 .25rem;font-variant-numeric:tabular-nums}
h2{font-size:1rem;margin:1.5rem 0 .5rem}
p{margin:0 0 1rem}
.mark{background:var(--warn-soft);color:var(--warn);border-radius:.5rem;padding:.625rem .75rem;font-weight:600}
.quiet{color:var(--ink-2)}
.wrong{color:var(--bad);font-weight:600}
.code{font-variant-numeric:tabular-nums;font-weight:700;letter-spacing:.1em}
label{display:block;font-weight:600;margin-block-end:.25rem}
input{inline-size:100%;min-block-size:2.75rem;padding:.5rem .75rem;font:inherit;color:inherit;background:var(--surface);border:1px solid var(--line-strong);border-radius:.5rem;margin-block-end:1rem}
.actions{display:grid;gap:.75rem;grid-template-columns:repeat(auto-fit,minmax(min(100%,12rem),1fr))}
button,.back{display:block;inline-size:100%;min-block-size:2.75rem;padding:.5rem 1rem;font:inherit;font-weight:600;text-align:center;text-decoration:none;border-radius:.5rem;border:1px solid var(--line-strong);background:var(--surface);color:inherit;cursor:pointer}
button.go,.back{background:var(--ink);border-color:var(--ink);color:var(--paper)}
.actions .go{grid-column:1/-1}
:focus-visible{outline:3px solid var(--focus);outline-offset:2px}
`
const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64')

/** Nothing but the page's own style; forms go to this origin, and from there back to the shop. */
export function pageHeaders(returnUrl: string | null): Record<string, string> {
  const shop = returnUrl === null ? '' : ` ${new URL(returnUrl).origin}`
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; img-src 'self'; form-action 'self'${shop}; base-uri 'none'; frame-ancestors 'none'`,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'same-origin',
    'x-robots-tag': 'noindex',
  }
}

const WAYS: readonly (readonly [Outcome, string])[] = [
  ['challenge', 'Ask for a code first'],
  ['pending', 'Pay, but slowly'],
  ['underpay', 'Pay too little'],
  ['overpay', 'Pay too much'],
  ['decline', 'Decline'],
  ['abandon', 'Go back without paying'],
]

/** Asks the payer to pay, or their bank to let them. Works without script. */
export function paymentPage(session: Session, wrong: string): string {
  const amount = amountText(session.amount, session.currency)
  const head = `<p class="quiet">Order <bdi>${escaped(session.order_number)}</bdi></p>\n<h1><bdi>${escaped(amount)}</bdi></h1>`
  if (session.status !== 'requires_action') {
    return page(`${head}\n<p>${STATES[session.status]}</p>\n<a class="back" href="${escaped(session.return_url)}">Back to the shop</a>`)
  }
  if (session.challenge !== null) {
    return page(`${head}
<p>Your bank wants to know that it is you. It has sent you this code: <span class="code">${session.challenge}</span></p>
${wrong === '' ? '' : `<p class="wrong" role="alert">${escaped(wrong)}</p>`}
<form method="post">
<label for="code">Code</label>
<input id="code" name="code" inputmode="numeric" autocomplete="one-time-code" maxlength="10" required>
<div class="actions">
<button class="go" type="submit">Confirm</button>
<button type="submit" name="outcome" value="decline" formnovalidate>Decline</button>
<button type="submit" name="outcome" value="abandon" formnovalidate>Go back without paying</button>
</div>
</form>`)
  }
  return page(`${head}
<p class="quiet">Choose how this payment goes.</p>
<form method="post">
<div class="actions">
<button class="go" type="submit" name="outcome" value="approve">Pay ${escaped(amount)}</button>
${WAYS.map(([outcome, text]) => `<button type="submit" name="outcome" value="${outcome}">${text}</button>`).join('\n')}
</div>
</form>`)
}

export function problemPage(sentence: string): string {
  return page(`<h1>This payment is not here</h1>\n<p>${escaped(sentence)}</p>`)
}

const STATES: Readonly<Record<Exclude<Session['status'], 'requires_action'>, string>> = {
  seen: 'This payment is on its way. It goes through within a minute.',
  captured: 'This payment is done.',
  failed: 'This payment was declined.',
  voided: 'The shop has ended this payment.',
  expired: 'The time for this payment is over.',
}

function page(content: string): string {
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Demo payment</title>
<link rel="icon" href="/icon.svg" type="image/svg+xml">
<style>${STYLE}</style>
</head>
<body>
<main>
<p class="mark">Demo payment service: not a real one. Nothing is charged.</p>
${content}
</main>
</body>
</html>
`
}

/** Digits after the point as ISO 4217 has them. */
function amountText(minor: string, currency: string): string {
  try {
    const format = new Intl.NumberFormat('en', { style: 'currency', currency })
    const digits = format.resolvedOptions().maximumFractionDigits ?? 2
    return format.format(`${BigInt(minor)}E-${digits}` as Intl.StringNumericLiteral)
  } catch {
    return `${minor} ${currency}`
  }
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
