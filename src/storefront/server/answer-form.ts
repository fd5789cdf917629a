import { withSetCookies } from '#platform/http/cookies.ts'
import { encodeBody } from '#platform/http/encoding.ts'
import { localPath } from '../local-path.ts'
import { PageRedirect } from '../page.ts'
import type { AskedPage, PageMaker } from './make-page.ts'
import { answerPersonal, redirect, withCookies, type PageAnswer } from './page-answer.ts'
import type { PageForms } from '../forms/form.ts'
import { makeFormCall, type FormResult, type People, type ReadForm } from './personal.ts'

export interface FormOptions {
  readonly people: People
  readonly maker: PageMaker
  readonly headers: Readonly<Record<string, string>>
}

/**
 * Makes the call of a form that was posted to its page, and goes where it leads or shows the page with what came of it.
 * @param form read by `readPosted`
 */
export async function answerForm(
  options: FormOptions,
  asked: AskedPage,
  forms: PageForms,
  form: ReadForm,
): Promise<PageAnswer> {
  const { address, language, currency } = asked
  return orRedirect(asked, async () => {
    const result = await makeFormCall(forms, form, address, { language, currency }, options.people)
    if (!result) return goTo(asked, address)
    const answer =
      'to' in result
        ? goTo(asked, result.to)
        : await orRedirect(asked, () => showOutcome(options, asked, result))
    return withCookies(answer, result.cookies)
  })
}

async function showOutcome(
  { maker, headers }: FormOptions,
  asked: AskedPage,
  { outcome, status, cookies, retryAfter }: Extract<FormResult, { readonly outcome: unknown }>,
): Promise<PageAnswer> {
  // The call may have renewed or ended the session: the page is made for who it is now.
  const request = { ...asked.request, cookie: withSetCookies(asked.request.cookie, cookies) }
  const loaded = await maker.load({ ...asked, request }, outcome)
  const answer = answerPersonal(
    await encodeBody(maker.render(loaded, asked)),
    outcome.isDone ? 200 : status === 200 ? 422 : status,
    request,
    headers,
  )
  if (retryAfter === undefined) return answer
  return { ...answer, headers: { ...answer.headers, 'retry-after': String(retryAfter) } }
}

async function orRedirect(
  asked: AskedPage,
  answer: () => Promise<PageAnswer>,
): Promise<PageAnswer> {
  try {
    return await answer()
  } catch (error) {
    if (error instanceof PageRedirect) return goTo(asked, error.path)
    throw error
  }
}

/** @param to a path of the shop, without prefix, or an address elsewhere */
function goTo({ language }: AskedPage, to: string): PageAnswer {
  return redirect(to.startsWith('/') ? localPath(language.prefix, to) : to, 303)
}
