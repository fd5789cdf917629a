import type { CaseFile } from '#features/buying/after-sales/queries.ts'
import type { DrawReceipt, ReceiptContent } from '#features/buying/receipt/rules.ts'
import type { LanguageCode } from '#kernel/language.ts'
import { deviceOf } from '#platform/http/device-name.ts'
import { formatCount, formatMoment } from '#platform/i18n/format.ts'
import type { Translate } from '#platform/i18n/messages.ts'

export interface EvidenceWriter {
  readonly language: LanguageCode
  readonly t: Translate
  readonly timeZone: string
  readonly shop: string
  readonly seller: readonly string[]
  readonly draw: DrawReceipt
}

/** The facts alone, for whoever fills in a form of a payment service. */
export function evidenceFacts({ order, payment, shopper, units, before, createdAt }: CaseFile) {
  return {
    order: {
      number: order.number,
      ordered_at: order.createdAt.toISOString(),
      paid_at: order.settledAt?.toISOString() ?? null,
      currency: order.currency,
      total_minor: order.totalMinor.toString(),
      country: order.country,
      terms_version: order.termsVersion,
      network: order.network,
      user_agent: order.userAgent,
    },
    payment,
    disputed_at: createdAt.toISOString(),
    customer: {
      email: shopper.email,
      email_confirmed_at: shopper.emailVerifiedAt?.toISOString() ?? null,
      registered_at: shopper.registeredAt.toISOString(),
      paid_orders_before: before.paidOrders,
      disputes_before: before.disputes,
    },
    units: units.map((unit) => ({
      goods: unit.name,
      delivery: unit.delivery,
      status: unit.status,
      delivered_at: unit.deliveredAt?.toISOString() ?? null,
      code_shown_at: unit.shownAt?.toISOString() ?? null,
      looked_at: unit.looks.map(({ at, network }) => ({ at: at.toISOString(), network })),
    })),
  }
}

export function evidenceContent(writer: EvidenceWriter, file: CaseFile): ReceiptContent {
  const { t, language, timeZone, shop, seller } = writer
  const { order, payment, shopper } = file
  const moment = (at: Date) => formatMoment(language, at, timeZone)
  return {
    language,
    shop,
    title: t('console.evidence.title', { number: order.number }),
    seller,
    facts: [
      { label: t('console.evidence.ordered'), value: moment(order.createdAt) },
      { label: t('console.evidence.paid'), value: order.settledAt ? moment(order.settledAt) : '' },
      { label: t('console.evidence.payment'), value: payment?.method ?? '' },
      { label: t('console.evidence.reference'), value: payment?.reference ?? '' },
      { label: t('console.evidence.disputed'), value: moment(file.createdAt) },
    ].filter(({ value }) => value !== ''),
    buyer: {
      label: t('console.evidence.customer'),
      lines: [shopper.email ?? shopper.nickname ?? ''].filter((line) => line !== ''),
    },
    columns: { goods: t('console.evidence.fact'), quantity: '', price: '', total: '' },
    lines: [...orderFacts(writer, file), ...unitFacts(writer, file)].map(([name, detail]) => ({
      name,
      detail,
      quantity: '',
      price: '',
      total: '',
    })),
    sums: [],
    notes: [t('console.evidence.note')],
  }
}

type Fact = readonly [name: string, detail: string]

function orderFacts({ t, language, timeZone }: EvidenceWriter, file: CaseFile): Fact[] {
  const { order, shopper, before } = file
  const moment = (at: Date) => formatMoment(language, at, timeZone)
  const { browser, system } = deviceOf(order.userAgent ?? '')
  const device = [browser, system].filter((part) => part !== '').join(', ')
  return [
    [
      t('console.evidence.account'),
      t('console.evidence.accountText', {
        date: moment(shopper.registeredAt),
        shown: formatCount(language, before.paidOrders),
      }),
    ],
    ...(shopper.emailVerifiedAt
      ? [
          [
            t('console.evidence.email'),
            t('console.evidence.emailText', { date: moment(shopper.emailVerifiedAt) }),
          ] as const,
        ]
      : []),
    ...(order.network === null
      ? []
      : [
          [
            t('console.evidence.place'),
            t('console.evidence.placeText', { network: order.network, device }),
          ] as const,
        ]),
    [
      t('console.evidence.terms'),
      t('console.evidence.termsText', {
        version: order.termsVersion,
        date: moment(order.createdAt),
      }),
    ],
  ]
}

function unitFacts({ t, language, timeZone }: EvidenceWriter, { units }: CaseFile): Fact[] {
  const moment = (at: Date) => formatMoment(language, at, timeZone)
  return units.map((unit) => [
    unit.name,
    [
      unit.deliveredAt
        ? t('console.evidence.delivered', { date: moment(unit.deliveredAt) })
        : t('console.evidence.undelivered'),
      ...unit.looks.map(({ at, network }) =>
        t('console.evidence.shown', { date: moment(at), network }),
      ),
    ].join(' '),
  ])
}

/** The same as a text of whole lines, no longer than `most`: what is left out is at its end, the units that were bought last. */
export function evidenceText(writer: EvidenceWriter, file: CaseFile, most: number): string {
  const { title, facts, buyer, lines } = evidenceContent(writer, file)
  const all = [
    title,
    ...facts.map(({ label, value }) => `${label}: ${value}`),
    ...buyer.lines.map((line) => `${buyer.label}: ${line}`),
    ...lines.map(({ name, detail }) => `${name}: ${detail}`),
  ]
  let text = ''
  for (const line of all) {
    if (text.length + line.length + 1 > most) break
    text += text === '' ? line : `\n${line}`
  }
  return text
}
