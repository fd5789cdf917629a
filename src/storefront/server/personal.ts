import type { ShopSnapshot } from '#features/goods/browse/snapshot.ts'
import type { Person } from '#features/people/session/rules.ts'
import type { Currency } from '#features/goods/currency/rules.ts'
import type { Language } from '#kernel/language.ts'
import { hostCookieName, readCookie, readHostCookie, writeCookie } from '#platform/http/cookies.ts'
import type { Ctx } from '#platform/ctx.ts'
import { isMultipart } from '#platform/http/form.ts'
import type { Visitor } from '#platform/http/visitor.ts'
import { translatorOf } from '#platform/i18n/messages.ts'
import {
  fieldsOf,
  outcomeOf,
  shownValues,
  type AnyForm,
  type Outcome,
  type PageForms,
} from '../forms/form.ts'
import { FORM_FIELD } from '../forms/form-field.ts'
import { SHARED_FORMS } from '../forms/shared.ts'
import {
  readVisitorCart,
  VISITOR_CART,
  VISITOR_CART_SECONDS,
  VISITOR_LINES_MAX,
  writeVisitorCart,
} from '../forms/visitor-cart.ts'
import {
  PageRedirect,
  type HeaderPerson,
  type Offer,
  type PagePayments,
  type PersonalPageContext,
} from '../page.ts'
import type { Route } from '../routes.ts'

/** A wire call made from here, in this very process. */
export type RunCall = (request: {
  readonly method: 'POST'
  readonly path: string
  readonly params: URLSearchParams
  readonly body: unknown
  readonly cookieHeader: string | undefined
  readonly visitor: Visitor
  readonly isForm: true
}) => Promise<{
  readonly status: number
  readonly envelope: { readonly code: number; readonly msg: string; readonly data: unknown }
  readonly cookies: readonly string[]
  readonly retryAfter?: number
}>

/** What personal pages need beside the catalogue; put together in `web.ts`. */
export interface People {
  readonly ctx: Ctx
  readonly personOf: (cookieHeader: string | undefined) => Promise<Person | null>
  readonly headerOf: (person: Person, shop: ShopSnapshot) => Promise<HeaderPerson>
  readonly run: RunCall
  readonly isHttps: boolean
  /** Whether a call takes files. */
  readonly takesFiles: (path: string) => boolean
  readonly offer: Offer
  readonly payments: PagePayments
}

/** Who asks for a personal page. Throws PageRedirect where the page is not for them. */
export async function admit(
  route: Route,
  address: string,
  cookieHeader: string | undefined,
  people: People,
): Promise<Person | null> {
  const person = await people.personOf(cookieHeader)
  if (route.access === 'person' && !person)
    throw new PageRedirect(`/login?redirect=${encodeURIComponent(address)}`)
  if (route.access === 'visitor' && person) throw new PageRedirect('/')
  return person
}

/** What a personal page's loader gets beside the common context. */
export function personalParts(
  person: Person | null,
  people: People,
  view: { readonly language: Language; readonly currency: Currency; readonly publicUrl: string },
  cookieHeader: string | undefined,
  { outcome, cookies }: { readonly outcome: Outcome | null; readonly cookies: string[] },
): Pick<
  PersonalPageContext,
  'person' | 'ctx' | 'cookie' | 'forgetVisitorCart' | 'outcome' | 'offer' | 'payments'
> {
  const actor = person ? `account:${person.accountId}` : 'visitor'
  return {
    person,
    ctx: { ...people.ctx, actor, locale: view.language.code, currency: view.currency.code },
    cookie: (name) =>
      readCookie(cookieHeader, hostCookieName(name, view.publicUrl.startsWith('https:'))),
    forgetVisitorCart: () => void cookies.push(visitorCookie('', 0, people.isHttps)),
    outcome,
    offer: people.offer,
    payments: people.payments,
  }
}

interface Sender {
  readonly cookieHeader: string | undefined
  readonly visitor: Visitor
}

/** A form on its way: not a byte of it is read yet. */
export interface PostedForm extends Sender {
  readonly contentType: string | undefined
  readonly read: (takesFiles: boolean) => Promise<FormData>
}

export interface ReadForm extends Sender {
  readonly data: FormData
}

/** Reads a form; a large one, with files, only on a page that has such a form, and of somebody signed in. */
export async function readPosted(
  forms: PageForms,
  { contentType, read, cookieHeader, visitor }: PostedForm,
  people: People,
): Promise<ReadForm> {
  const mayHoldFiles =
    isMultipart(contentType) &&
    Object.values(formsOf(forms)).some(({ call }) => people.takesFiles(call))
  const takesFiles = mayHoldFiles && (await people.personOf(cookieHeader)) !== null
  return { data: await read(takesFiles), cookieHeader, visitor }
}

function formsOf(forms: PageForms): PageForms {
  return { ...SHARED_FORMS, ...forms }
}

/** What a posted form led to: another address, or its page again. */
export type FormResult =
  | { readonly to: string; readonly cookies: readonly string[] }
  | {
      readonly outcome: Outcome
      readonly status: number
      readonly cookies: readonly string[]
      readonly retryAfter?: number
    }

const UNAUTHORISED = 401

/**
 * Makes the call of a form posted to its page without script. Null when the page has no form of that name.
 * @param address of the page, without language prefix
 */
export async function makeFormCall(
  forms: PageForms,
  posted: ReadForm,
  address: string,
  view: { readonly language: Language; readonly currency: Currency },
  people: People,
): Promise<FormResult | null> {
  const name = String(posted.data.get(FORM_FIELD) ?? '')
  const known = formsOf(forms)
  const form = Object.hasOwn(known, name) ? known[name] : undefined
  if (!form) return null
  const fields = fieldsOf(posted.data)
  const { status, envelope, cookies, retryAfter } = await people.run({
    method: 'POST',
    path: form.call,
    params: new URLSearchParams({ lang: view.language.code, currency_code: view.currency.code }),
    body: await withoutFiles(form.body(fields)),
    cookieHeader: posted.cookieHeader,
    visitor: posted.visitor,
    isForm: true,
  })
  if (status === UNAUTHORISED && form.asVisitor)
    return changeVisitorCart(
      { name, form: { ...form, asVisitor: form.asVisitor } },
      posted,
      view,
      people,
    )
  if (status === UNAUTHORISED)
    return {
      to: `/login?redirect=${encodeURIComponent(form.comeBack?.(fields) ?? address)}`,
      cookies,
    }
  const to =
    envelope.code === 1
      ? form.done(envelope.data as never, fields, new URLSearchParams(address.split('?')[1] ?? ''))
      : null
  if (to !== null) return { to, cookies }
  return {
    outcome: outcomeOf(name, envelope, shownValues(posted.data, form.secret)),
    status,
    cookies,
    ...(retryAfter === undefined ? {} : { retryAfter }),
  }
}

const CART_FULL = 2429

/** Nobody is signed in: the browser keeps the lines, and the shop says whether what is asked for can be bought like that. */
async function changeVisitorCart(
  {
    name,
    form,
  }: { readonly name: string; readonly form: AnyForm & Required<Pick<AnyForm, 'asVisitor'>> },
  posted: ReadForm,
  view: { readonly language: Language; readonly currency: Currency },
  people: People,
): Promise<FormResult> {
  const fields = fieldsOf(posted.data)
  const { lines, asked } = form.asVisitor(
    fields,
    readVisitorCart(readHostCookie(posted.cookieHeader, VISITOR_CART)),
  )
  const values = shownValues(posted.data, form.secret)
  if (asked) {
    const { status, envelope, cookies, retryAfter } = await people.run({
      method: 'POST',
      path: 'cart/check',
      params: new URLSearchParams({ lang: view.language.code, currency_code: view.currency.code }),
      body: asked,
      cookieHeader: posted.cookieHeader,
      visitor: posted.visitor,
      isForm: true,
    })
    if (envelope.code !== 1)
      return {
        outcome: outcomeOf(name, envelope, values),
        status,
        cookies,
        ...(retryAfter === undefined ? {} : { retryAfter }),
      }
  }
  const text = writeVisitorCart(lines)
  if (text === null) {
    const msg = translatorOf(view.language.code)('error.cart_full', {
      max: VISITOR_LINES_MAX,
      held: 'no',
    })
    const envelope = { code: CART_FULL, msg, data: null }
    return { outcome: outcomeOf(name, envelope, values), status: 200, cookies: [] }
  }
  return { to: '/shop-cart', cookies: [visitorCookie(text, VISITOR_CART_SECONDS, people.isHttps)] }
}

function visitorCookie(text: string, maxAgeSeconds: number, isHttps: boolean): string {
  return writeCookie(hostCookieName(VISITOR_CART, isHttps), text, {
    maxAgeSeconds,
    secure: isHttps,
  })
}

/** Calls take the bytes of a file. */
async function withoutFiles(body: unknown): Promise<unknown> {
  if (typeof body !== 'object' || body === null) return body
  const entries = await Promise.all(
    Object.entries(body).map(
      async ([name, value]) =>
        [
          name,
          value instanceof File ? new Uint8Array(await value.arrayBuffer()) : (value as unknown),
        ] as const,
    ),
  )
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined))
}
