import { escapeHtml } from '#kernel/html.ts'
import { createFrame, speechOf, withMarkup, type Speech } from '../frame.ts'
import { OTHER, PEOPLE, type DemoPerson, type Lack, type Typed } from './people.ts'

const frame = createFrame(`
fieldset{border:0;margin:0 0 1rem;padding:0;min-inline-size:0}
legend{font-weight:600;padding:0;margin-block-end:.5rem}
.person{display:flex;gap:.75rem;align-items:center;min-block-size:2.75rem;padding:.625rem .75rem;background:var(--surface);border:1px solid var(--line);border-radius:.75rem;margin-block-end:.5rem}
.person:has(:checked){border-color:var(--ink)}
.person b,.person span{display:block}
.person b{color:var(--ink);font-size:1rem}
.person span{color:var(--ink-2);font-size:.875rem}
input[type=radio],input[type=checkbox]{inline-size:1.25rem;block-size:1.25rem;flex:none;accent-color:var(--ink)}
.typed{padding-inline-start:.75rem;border-inline-start:2px solid var(--line)}
.typed label{display:block;font-weight:600;margin-block:.75rem .25rem}
.typed .tick{display:flex;gap:.75rem;align-items:center;font-weight:400;min-block-size:2.75rem;margin-block:.25rem 0}
.typed input:not([type=checkbox]){inline-size:100%;min-block-size:2.75rem;padding:.5rem .75rem;font:inherit;color:inherit;background:var(--surface);border:1px solid var(--line-strong);border-radius:.75rem}
.actions{display:flex;flex-wrap:wrap;gap:.75rem}
.actions button{flex:1 1 10rem;inline-size:auto}
`)

export const PAGE_HEADERS = frame.headers()

/** The page that asks who to be. Works without script; `lack` says what the last try lacked, and what was typed stays. */
export function choicePage(locales: string, shop: string, typed: Typed, lack: Lack | null): string {
  const speech = speechOf(locales)
  const say = (...[key, values]: Parameters<Speech['t']>) => escapeHtml(speech.t(key, values))
  return page(
    speech,
    `<h1>${say('sandbox.signIn')}</h1>
<p class="quiet">${say('sandbox.signInText', { shop })}</p>
<form method="post">
${lack === null ? '' : `<p class="wrong" role="alert">${say(LACKS[lack])}</p>`}
<fieldset>
<legend>${say('sandbox.person')}</legend>
${PEOPLE.map((person) => choice(speech, person, typed.person)).join('\n')}
<label class="person"><input type="radio" name="person" value="${OTHER}"${typed.person === OTHER ? ' checked' : ''}><span><b>${say('sandbox.other')}</b><span>${say('sandbox.otherText')}</span></span></label>
<div class="typed">
<label for="email">${say('sign-in.email')}</label>
<input id="email" name="email" type="email" autocomplete="email" maxlength="254" dir="ltr" value="${escapeHtml(typed.email)}">
<label for="name">${say('account.nickname')}</label>
<input id="name" name="name" type="text" autocomplete="name" maxlength="100" dir="auto" value="${escapeHtml(typed.name)}">
<label class="tick"><input name="verified" type="checkbox" value="1"${typed.verified ? ' checked' : ''}>${say('sandbox.verified')}</label>
</div>
</fieldset>
<div class="actions">
<button class="go" type="submit" name="decision" value="allow">${say('sandbox.continue')}</button>
<button type="submit" name="decision" value="refuse" formnovalidate>${say('form.cancel')}</button>
</div>
</form>`,
  )
}

const LACKS = { person: 'sandbox.choosePerson', email: 'error.field.email_format' } as const

/** Why a sign-in ends here. */
export type Problem = 'over' | 'fault'

const PROBLEMS = { over: 'sandbox.signInOver', fault: 'sandbox.signInFault' } as const

/** @param detail for whoever sets the shop up, in English */
export function problemPage(locales: string, problem: Problem, detail = ''): string {
  const speech = speechOf(locales)
  return page(
    speech,
    `<h1>${escapeHtml(speech.t('sandbox.noSignIn'))}</h1>
<p>${escapeHtml(speech.t(PROBLEMS[problem]))}</p>
${detail === '' ? '' : `<p class="quiet" lang="en" dir="ltr">${escapeHtml(detail)}</p>`}
<p class="quiet">${escapeHtml(speech.t('sandbox.startAgain'))}</p>`,
  )
}

function choice(speech: Speech, person: DemoPerson, chosen: string): string {
  const email = `<bdi>${escapeHtml(person.email)}</bdi>`
  const about =
    person.email === ''
      ? escapeHtml(speech.t('sandbox.noEmail'))
      : person.emailVerified
        ? email
        : withMarkup(speech, 'sandbox.notVerified', 'email', email)
  return `<label class="person"><input type="radio" name="person" value="${person.subject}"${chosen === person.subject ? ' checked' : ''}><span><b><bdi>${escapeHtml(person.name)}</bdi></b><span>${about}</span></span></label>`
}

function page(speech: Speech, content: string): string {
  return frame.page(speech, {
    title: speech.t('sandbox.signIn'),
    mark: speech.t('sandbox.signInMark'),
    content,
  })
}
