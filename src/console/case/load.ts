import { findCasePicture, type CaseFile } from '#features/buying/after-sales/queries.ts'
import { previewAcceptance } from '#features/buying/after-sales/commands.ts'
import { openCaseFile } from '#features/office/case/commands.ts'
import { findEvidence, listTemplates, type SentEvidence } from '#features/office/case/queries.ts'
import { mayDo } from '#features/team/operator/rules.ts'
import { isAppError } from '#kernel/error.ts'
import { getLanguage } from '#kernel/language.ts'
import { formatDate, formatShortMoment } from '#platform/i18n/format.ts'
import { providerName } from '../kit/provider-name.ts'
import { CASE_LOOKS, leftOf, type CaseRow } from '../cases/load.ts'
import { moneyTexts } from '../kit/money.ts'
import type { StateLook } from '../kit/state.tsx'
import type { ConsoleContext, Loaded } from '../page.ts'

export interface CaseData {
  readonly id: string
  readonly kind: CaseFile['kind']
  readonly title: string
  readonly look: StateLook
  readonly state: string
  readonly summary: string
  readonly isOpen: boolean
  readonly claimedBy: string | null
  readonly me: string
  readonly left: CaseRow['left']
  /** As a date field has it. */
  readonly due: string
  readonly text: string
  readonly picture: string | null
  readonly shopper: { readonly id: string; readonly name: string | null; readonly language: string }
  readonly order: string
  readonly units: readonly {
    readonly id: string
    readonly name: string
    readonly price: string
    readonly state: string
    readonly facts: readonly string[]
  }[]
  readonly findings: readonly {
    readonly text: string
    readonly speaks: 'for' | 'against' | 'neither'
  }[]
  readonly decision: { readonly by: string; readonly at: string; readonly note: string } | null
  readonly templates: readonly {
    readonly id: string
    readonly name: string
    readonly text: string
  }[]
  readonly mayDecide: boolean
  readonly mayReplace: boolean
  /** How the evidence of a dispute goes to its provider; null where that takes it in its dashboard alone. */
  readonly answer: {
    readonly provider: string
    readonly state: 'none' | 'sending' | 'sent' | 'refused'
    /** When, and by whom. */
    readonly told: string
    readonly failure: string | null
  } | null
  /** What agreeing would give back, or why nothing can be. */
  readonly refund: {
    readonly effect: {
      readonly minor: string
      readonly amount: string
      readonly to: 'original' | 'store_credit'
      readonly needsSecondPerson: boolean
    } | null
    readonly refusal: string | null
  }
}

export async function load(context: ConsoleContext): Promise<Loaded<CaseData>> {
  const { ctx, params, t, language, timeZone } = context
  const file = await openCaseFile(ctx, params['id'] ?? '')
  const [money, templates, picture, evidence] = await Promise.all([
    moneyTexts(context),
    listTemplates(ctx.db),
    file.hasPicture ? findCasePicture(ctx.db, file.id) : null,
    file.kind === 'dispute' ? findEvidence(ctx.db, file.id) : null,
  ])
  const title =
    file.kind === 'dispute' || file.reason === 'disputed'
      ? t('console.cases.kind.dispute')
      : t(`order.reason.${file.reason}`)
  const isOpen = file.status === 'open'
  const mayDecide = mayDo(ctx.operator, 'case.decide')
  return {
    title,
    data: {
      id: file.id,
      kind: file.kind,
      title,
      look: file.kind === 'dispute' && isOpen ? 'badge bad' : CASE_LOOKS[file.status],
      state: isOpen
        ? t(`console.cases.kind.${file.kind}`)
        : t(`console.cases.status.${file.status}`),
      summary: summaryOf(context, file, money),
      isOpen,
      claimedBy: file.claimedBy,
      me: ctx.operator.name,
      left: leftOf(context, file),
      due: file.dueAt?.toISOString().slice(0, 10) ?? '',
      text: file.text,
      picture: picture && `data:image/webp;base64,${picture.toString('base64')}`,
      shopper: {
        id: file.shopper.id,
        name: file.shopper.nickname,
        language: getLanguage(file.shopper.language).tag,
      },
      order: file.order.number,
      units: unitsOf(context, file, money),
      findings: file.findings.map(({ name, speaks, count }) => ({
        text: t(`console.finding.${name}`, { count }),
        speaks,
      })),
      decision:
        file.decidedAt && file.decidedBy
          ? {
              by: file.decidedBy.replace(/^(?:operator|account):/, ''),
              at: formatShortMoment(language.code, file.decidedAt, timeZone),
              note: file.note,
            }
          : null,
      templates: templates.map(({ id, name, texts }) => ({
        id,
        name,
        text: texts[file.shopper.language] ?? texts.en ?? Object.values(texts)[0] ?? '',
      })),
      mayDecide,
      answer: answerOf(context, file, evidence),
      mayReplace: file.kind === 'faulty_key' && mayDo(ctx.operator, 'order.refund'),
      refund: await refundOf(context, file, money, mayDecide),
    },
  }
}

type MoneyText = Awaited<ReturnType<typeof moneyTexts>>

async function refundOf(
  { ctx, t }: ConsoleContext,
  file: CaseFile,
  money: MoneyText,
  mayDecide: boolean,
): Promise<CaseData['refund']> {
  if (file.status !== 'open' || file.kind === 'dispute' || !mayDecide)
    return { effect: null, refusal: null }
  try {
    const { amountMinor, currency, destination, weighed } = await previewAcceptance(ctx, file.id)
    return {
      effect: {
        minor: amountMinor.toString(),
        amount: money(amountMinor, currency),
        to: destination,
        needsSecondPerson: weighed.needsAnother,
      },
      refusal: null,
    }
  } catch (error) {
    if (!isAppError(error)) throw error
    return { effect: null, refusal: t('console.cases.nothingBack') }
  }
}

function summaryOf(
  { t, language, timeZone }: ConsoleContext,
  file: CaseFile,
  money: MoneyText,
): string {
  const { order, createdAt, before, shopper } = file
  return [
    t('console.cases.opened', { date: formatShortMoment(language.code, createdAt, timeZone) }),
    order.settledAt
      ? t('console.cases.paid', {
          amount: money(order.capturedMinor, order.currency),
          date: formatShortMoment(language.code, order.settledAt, timeZone),
        })
      : '',
    t('console.cases.history', {
      date: formatDate(language.code, shopper.registeredAt, timeZone),
      count: before.paidOrders,
    }),
  ]
    .filter((sentence) => sentence !== '')
    .join(' ')
}

function unitsOf(
  { t, language, timeZone }: ConsoleContext,
  { units, order }: CaseFile,
  money: MoneyText,
): CaseData['units'] {
  const moment = (at: Date) => formatShortMoment(language.code, at, timeZone)
  return units.map((unit) => ({
    id: unit.publicId,
    name: unit.name,
    price: money(unit.priceMinor, order.currency),
    state: t(`order.unit.${unit.status}`),
    facts: [
      ...(unit.deliveredAt
        ? [t('console.evidence.delivered', { date: moment(unit.deliveredAt) })]
        : []),
      ...(unit.lastFour === null ? [] : [t('console.cases.key', { ending: unit.lastFour })]),
      ...unit.looks.map(({ at, network }) =>
        t('console.evidence.shown', { date: moment(at), network }),
      ),
      ...(unit.replacedAt
        ? [t('console.cases.replacedAt', { date: moment(unit.replacedAt) })]
        : []),
    ],
  }))
}

function answerOf(
  { t, language, timeZone, paying }: ConsoleContext,
  { kind, payment }: CaseFile,
  evidence: SentEvidence | null,
): CaseData['answer'] {
  if (kind !== 'dispute' || !payment) return null
  if (!evidence && !paying.providers.get(payment.provider)?.disputes) return null
  return {
    provider: providerName(t, payment.provider),
    state: evidence?.state ?? 'none',
    told: evidence
      ? `${formatShortMoment(language.code, evidence.at, timeZone)} · ${evidence.askedBy.replace(/^operator:/, '')}`
      : '',
    failure: evidence?.failure ?? null,
  }
}
