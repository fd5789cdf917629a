import { escapeHtml } from '#kernel/html.ts'
import { formatMoney } from '#platform/i18n/format.ts'
import { createFrame, speechOf, withMarkup, type Speech } from '../frame.ts'
import type { Session } from './book.ts'
import type { Outcome } from './outcomes.ts'

const frame = createFrame(`
.amount{font-size:2rem;font-variant-numeric:tabular-nums}
.quiet:has(+.amount){margin:0}
.code{font-variant-numeric:tabular-nums;font-weight:700;letter-spacing:.1em}
label{display:block;font-weight:600;margin-block-end:.25rem}
input{inline-size:100%;min-block-size:2.75rem;padding:.5rem .75rem;font:inherit;color:inherit;background:var(--surface);border:1px solid var(--line-strong);border-radius:.75rem;margin-block-end:1rem}
.actions{display:grid;gap:.75rem;grid-template-columns:repeat(auto-fit,minmax(min(100%,12rem),1fr))}
.actions .go{grid-column:1/-1}
`)

export function pageHeaders(returnUrl: string | null): Readonly<Record<string, string>> {
  return frame.headers(returnUrl === null ? [] : [new URL(returnUrl).origin], 'same-origin')
}

const WAYS = [
  'challenge',
  'pending',
  'underpay',
  'overpay',
  'decline',
  'abandon',
] as const satisfies readonly Outcome[]

/** What the last try lacked, if anything. */
export type Lack = 'code' | null

/** Asks the payer to pay, or their bank to let them, in the language the shop has named. Works without script. */
export function paymentPage(session: Session, lack: Lack): string {
  const speech = speechOf(session.locale)
  const amount = amountText(speech, session.amount, session.currency)
  const head = `<p class="quiet">${withMarkup(speech, 'order.title', 'number', `<bdi>${escapeHtml(session.order_number)}</bdi>`)}</p>\n<h1 class="amount"><bdi>${escapeHtml(amount)}</bdi></h1>`
  if (session.status !== 'requires_action')
    return ended(speech, head, session.status, session.return_url)
  return page(
    speech,
    `${head}\n${session.challenge === null ? choice(speech, amount) : question(speech, session.challenge, lack)}`,
  )
}

function ended(
  speech: Speech,
  head: string,
  status: Exclude<Session['status'], 'requires_action'>,
  returnUrl: string,
): string {
  return page(
    speech,
    `${head}\n<p>${escapeHtml(speech.t(`sandbox.state.${status}`))}</p>\n<a class="back" href="${escapeHtml(returnUrl)}">${escapeHtml(speech.t('sandbox.back'))}</a>`,
  )
}

function choice({ t }: Speech, amount: string): string {
  return `<p class="quiet">${escapeHtml(t('sandbox.choose'))}</p>
<form method="post">
<div class="actions">
<button class="go" type="submit" name="outcome" value="approve">${escapeHtml(t('cashier.pay', { amount }))}</button>
${WAYS.map((outcome) => `<button type="submit" name="outcome" value="${outcome}">${escapeHtml(t(`sandbox.${outcome}`))}</button>`).join('\n')}
</div>
</form>`
}

function question(speech: Speech, code: string, lack: Lack): string {
  const { t } = speech
  return `<p>${withMarkup(speech, 'sandbox.codeSent', 'code', `<bdi class="code">${code}</bdi>`)}</p>
${lack === null ? '' : `<p class="wrong" role="alert">${escapeHtml(t('sandbox.codeWrong'))}</p>`}
<form method="post">
<label for="code">${escapeHtml(t('sandbox.code'))}</label>
<input id="code" name="code" inputmode="numeric" autocomplete="one-time-code" maxlength="10" dir="ltr" required>
<div class="actions">
<button class="go" type="submit">${escapeHtml(t('form.proveSubmit'))}</button>
<button type="submit" name="outcome" value="decline" formnovalidate>${escapeHtml(t('sandbox.decline'))}</button>
<button type="submit" name="outcome" value="abandon" formnovalidate>${escapeHtml(t('sandbox.abandon'))}</button>
</div>
</form>`
}

/** Says that there is no such payment to somebody of whom nothing is known but what their browser asks for. */
export function problemPage(locales: string): string {
  const speech = speechOf(locales)
  return page(
    speech,
    `<h1>${escapeHtml(speech.t('sandbox.noPayment'))}</h1>\n<p>${escapeHtml(speech.t('sandbox.startAgain'))}</p>`,
  )
}

function page(speech: Speech, content: string): string {
  return frame.page(speech, {
    title: speech.t('sandbox.payTitle'),
    mark: speech.t('sandbox.payMark'),
    content,
  })
}

/** Digits after the point as ISO 4217 has them. */
function amountText({ language }: Speech, minor: string, currency: string): string {
  try {
    const digits =
      new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions()
        .maximumFractionDigits ?? 2
    return formatMoney(language, currency, BigInt(minor), digits, digits)
  } catch {
    return `${minor} ${currency}`
  }
}
