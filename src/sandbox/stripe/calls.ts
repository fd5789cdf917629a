import type { Asked, Reply } from '../wire.ts'
import { end, faultOfAmount, newId, type Intent, type Session } from './books.ts'
import { readForm, textAt, textsAt, type Fields } from './form.ts'
import { chargeObject, disputeObjects, refunded, refundObject, sessionObject } from './objects.ts'

/** Whose the key is, as its owner named it; null for a key that may not ask. */
export interface Account {
  readonly id: string
  readonly name: string
}

export interface Shop {
  readonly origin: string
  account: Account | null
  readonly sessions: Map<string, Session>
  /** Seconds since 1970. */
  readonly now: () => number
  /** Tells the shop that something happened. */
  readonly emit: (type: string, session: Session) => void
}

const SESSION_PARAMETERS = new Set([
  'mode',
  'client_reference_id',
  'line_items',
  'allowed_payment_method_types',
  'adaptive_pricing',
  'expires_at',
  'locale',
  'metadata',
  'payment_intent_data',
  'success_url',
  'cancel_url',
  'expand',
])
const LOCALES = new Set(
  'auto bg cs da de el en en-GB es es-419 et fi fil fr fr-CA hi-IN hr hu id it ja ko lt lv ms mt nb nl pl pt pt-BR ro ru sk sl sv th tr vi zh zh-HK zh-TW'.split(
    ' ',
  ),
)

/** One call of the API, its key and version checked already. */
export function answerCall(shop: Shop, { method, path, query, body }: Asked): Reply {
  const form = method === 'POST' ? readForm(new URLSearchParams(body)) : readForm(query)
  const [, , ...parts] = path.split('/')
  const [kind = '', id = '', verb = ''] = parts[0] === 'checkout' ? parts.slice(1) : parts
  if (method === 'POST' && kind === 'sessions')
    return id === '' ? createSession(shop, form) : expireSession(shop, id, verb)
  if (method === 'POST' && kind === 'refunds' && id === '') return createRefund(shop, form)
  if (method === 'POST' && kind === 'disputes' && id !== '') return submitEvidence(shop, id, form)
  if (method !== 'GET') return refused(404, 'url_invalid')
  if (kind === 'account') return accountOf(shop)
  if (kind === 'balance') return balance(shop)
  if (kind === 'sessions')
    return id === ''
      ? listSessions(shop, form)
      : one(shop.sessions.get(id), (session) =>
          sessionObject(current(shop, session), shop.origin, isExpanded(form)),
        )
  const about = [...shop.sessions.values()].find(
    ({ intent }) =>
      intent && (intent.charge === id || intent.id === (textAt(form, 'payment_intent') || id)),
  )
  if (kind === 'charges')
    return one(about, (session) => (session.intent ? chargeObject(session, session.intent) : {}))
  const asked = textAt(form, 'payment_intent') === '' ? [...shop.sessions.values()] : [about]
  if (kind === 'disputes') return listOf('/v1/disputes', created(asked, disputeObjects, form), form)
  if (kind === 'refunds') return listOf('/v1/refunds', created(asked, refundsOf, form), form)
  return refused(404, 'url_invalid')
}

function accountOf(shop: Shop): Reply {
  const account = shop.account
  if (!account) return refused(403, 'more_permissions_required')
  const { id, name } = account
  return {
    status: 200,
    body: {
      id,
      object: 'account',
      business_profile: { name: null },
      country: 'DE',
      email: null,
      settings: { dashboard: { display_name: name, timezone: 'Etc/UTC' } },
    },
  }
}

const EVIDENCE_PARAMETERS = new Set(['evidence', 'metadata', 'submit'])

/** Once: a dispute that is under review takes no more. */
function submitEvidence(shop: Shop, id: string, form: Fields): Reply {
  const session = [...shop.sessions.values()].find(({ intent }) =>
    intent?.disputes.some((known) => known.id === id),
  )
  const at = session?.intent?.disputes.findIndex((known) => known.id === id) ?? -1
  const dispute = session?.intent?.disputes[at]
  if (!session?.intent || !dispute) return refused(404, 'resource_missing')
  if (Object.keys(form).some((name) => !EVIDENCE_PARAMETERS.has(name)))
    return refused(400, 'parameter_unknown')
  if (dispute.status !== 'needs_response') return refused(400, 'dispute_not_open')
  dispute.evidence = textAt(form, 'evidence', 'uncategorized_text')
  dispute.metadata = textsAt(form, 'metadata')
  if (textAt(form, 'submit') === 'true') dispute.status = 'under_review'
  return { status: 200, body: disputeObjects(session, session.intent)[at] }
}

/** What was taken and not given back, by currency. */
function balance(shop: Shop): Reply {
  const sums = new Map<string, number>()
  for (const { currency, intent } of shop.sessions.values())
    if (intent) sums.set(currency, (sums.get(currency) ?? 0) + intent.received - refunded(intent))
  return {
    status: 200,
    body: {
      object: 'balance',
      livemode: false,
      available: [...sums].map(([currency, amount]) => ({ currency, amount, source_types: {} })),
      pending: [...sums.keys()].map((currency) => ({ currency, amount: 0, source_types: {} })),
    },
  }
}

function createSession(shop: Shop, form: Fields): Reply {
  const amount = Number(textAt(form, 'line_items', '0', 'price_data', 'unit_amount'))
  const currency = textAt(form, 'line_items', '0', 'price_data', 'currency')
  const expiresAt = Number(textAt(form, 'expires_at'))
  const unknown = Object.keys(form).find((name) => !SESSION_PARAMETERS.has(name))
  const fault =
    unknown !== undefined
      ? 'parameter_unknown'
      : textAt(form, 'mode') !== 'payment' || textAt(form, 'line_items', '0', 'quantity') !== '1'
        ? 'parameter_invalid'
        : !LOCALES.has(textAt(form, 'locale'))
          ? 'locale_invalid'
          : !URL.canParse(textAt(form, 'success_url')) || !URL.canParse(textAt(form, 'cancel_url'))
            ? 'url_invalid'
            : expiresAt < shop.now() + 30 * 60 || expiresAt > shop.now() + 24 * 3_600
              ? 'expires_at_invalid'
              : faultOfAmount(amount, currency, false)
  if (fault !== null) return refused(400, fault)
  const data = form['payment_intent_data']
  const session: Session = {
    id: newId('cs'),
    created: shop.now(),
    expiresAt,
    amount,
    currency,
    clientReference: textAt(form, 'client_reference_id') || null,
    metadata: textsAt(form, 'metadata'),
    intentMetadata: typeof data === 'object' ? textsAt(data, 'metadata') : {},
    name: textAt(form, 'line_items', '0', 'price_data', 'product_data', 'name'),
    successUrl: textAt(form, 'success_url'),
    cancelUrl: textAt(form, 'cancel_url'),
    status: 'open',
    intent: null,
  }
  shop.sessions.set(session.id, session)
  return { status: 200, body: sessionObject(session, shop.origin, isExpanded(form)) }
}

function expireSession(shop: Shop, id: string, verb: string): Reply {
  const session = shop.sessions.get(id)
  if (!session || verb !== 'expire') return refused(404, 'resource_missing')
  if (current(shop, session).status !== 'open') return refused(400, 'checkout_session_not_open')
  for (const type of end(session)) shop.emit(type, session)
  return { status: 200, body: sessionObject(session, shop.origin, false) }
}

function createRefund(shop: Shop, form: Fields): Reply {
  const session = [...shop.sessions.values()].find(
    ({ intent }) => intent?.id === textAt(form, 'payment_intent'),
  )
  if (!session?.intent) return refused(404, 'resource_missing')
  const amount = Number(textAt(form, 'amount'))
  const left = session.intent.received - refunded(session.intent)
  const fault =
    left === 0
      ? 'charge_already_refunded'
      : amount > left
        ? 'amount_too_large'
        : faultOfAmount(amount, session.currency, true)
  if (fault !== null) return refused(400, fault)
  const refund = {
    id: newId('re'),
    amount,
    created: shop.now(),
    metadata: textsAt(form, 'metadata'),
    status: 'succeeded',
  }
  session.intent.refunds.push(refund)
  for (const type of ['charge.refunded', 'refund.created']) shop.emit(type, session)
  return { status: 200, body: refundObject(session, session.intent, refund) }
}

/** Of some payments, within the moments that are asked for, newest first. */
function created(
  sessions: readonly (Session | undefined)[],
  toObjects: (session: Session, intent: Intent) => readonly object[],
  form: Fields,
): object[] {
  const from = Number(textAt(form, 'created', 'gte') || 0)
  const until = Number(textAt(form, 'created', 'lt') || Infinity)
  return sessions
    .flatMap((session) => (session?.intent ? toObjects(session, session.intent) : []))
    .filter(
      (each) => 'created' in each && Number(each.created) >= from && Number(each.created) < until,
    )
    .toReversed()
}

function refundsOf(session: Session, intent: Intent): object[] {
  return intent.refunds.map((refund) => refundObject(session, intent, refund))
}

function listSessions(shop: Shop, form: Fields): Reply {
  const intent = textAt(form, 'payment_intent')
  const from = Number(textAt(form, 'created', 'gte') || 0)
  const until = Number(textAt(form, 'created', 'lt') || Infinity)
  const found = [...shop.sessions.values()].filter(
    (session) =>
      (intent === '' || session.intent?.id === intent) &&
      session.created >= from &&
      session.created < until,
  )
  return listOf(
    '/v1/checkout/sessions',
    found
      .toReversed()
      .map((session) => sessionObject(current(shop, session), shop.origin, isExpanded(form))),
    form,
  )
}

/** Newest first, a page at a time. */
function listOf(url: string, all: readonly object[], form: Fields): Reply {
  const limit = Number(textAt(form, 'limit') || 10)
  const after = textAt(form, 'starting_after')
  const rest =
    after === '' ? all : all.slice(all.findIndex((item) => 'id' in item && item.id === after) + 1)
  return {
    status: 200,
    body: { object: 'list', url, has_more: rest.length > limit, data: rest.slice(0, limit) },
  }
}

/** Time ends sessions too. */
function current(shop: Shop, session: Session): Session {
  if (session.status === 'open' && session.expiresAt <= shop.now()) end(session)
  return session
}

const isExpanded = (form: Fields) =>
  Object.values(textsAt(form, 'expand')).some((path) =>
    /^(?:data\.)?payment_intent\.latest_charge$/.test(path),
  )

function one(session: Session | undefined, toObject: (session: Session) => object): Reply {
  return session ? { status: 200, body: toObject(session) } : refused(404, 'resource_missing')
}

export function refused(status: number, code: string, type = 'invalid_request_error'): Reply {
  return { status, body: { error: { type, code, message: `Refused: ${code}` } } }
}
