import { orderView } from '#features/buying/order/views.ts'
import { BANK_TRANSFER } from '#features/goods/pay-method/rules.ts'
import type { Attempt } from '#features/buying/payment/queries.ts'
import { payStatus } from '#features/buying/payment/views.ts'
import type { PayStatusView } from '#features/buying/payment/view/shapes.ts'
import {
  chosenMethod,
  heldOf,
  methodChoice,
  readOrder,
  type Held,
  type MethodChoice,
} from '../cashier/load.ts'
import { readerOf } from '../order-reader.ts'
import {
  PageRedirect,
  type PageMeta,
  type PagePayments,
  type PersonalPageContext,
} from '../page.ts'
import { knownOf } from './known.ts'

/** What the payer is to do: choose, pay at the provider, send a transfer or the rest of one, wait, or try again. */
export type PayStep = 'unpaid' | 'waiting' | 'transfer' | 'rest' | 'confirming' | 'failed'

export interface PayData {
  readonly step: PayStep
  readonly title: string
  readonly text: string
  readonly order: string
  readonly number: string
  readonly amount: string
  readonly method: { readonly code: string; readonly name: string } | null
  readonly state: string
  /** Null when there is nothing left to pay in time. */
  readonly held: Held | null
  /** That no money was taken, of a payment that failed, where that is certain. */
  readonly money: string | null
  /** What to try instead of a payment that failed. */
  readonly choice: MethodChoice | null
  /** Where the payer goes on; null when there is nothing to do there. */
  readonly onward: string | null
  /** What a transfer needs, each to be copied, and what the shop says beside. */
  readonly transfer: readonly TransferLine[]
  readonly transferNotes: readonly string[]
  readonly canCancel: boolean
  /** What the page was made from: another one means that something has happened. */
  readonly known: string
}

interface TransferLine {
  readonly label: string
  readonly value: string
}

/**
 * `/order/pay?order=`: a payment under way, and where providers send payers back to. Coming here proves nothing; the provider is
 * asked. What is paid, or over, is shown where orders are.
 */
export async function load(page: PersonalPageContext): Promise<PayData> {
  const first = await readOrder(page)
  if (first.open) await page.payments.ask(first.open.id)
  const { order, open } = first.open ? await readOrder(page) : first
  const reader = readerOf(page)
  const { providers } = page.payments
  const status = payStatus(reader, providers, order, open)
  const isLate = open === null && status.seconds_left === 0 && status.missing === null
  if (status.is_settled || isLate) throw new PageRedirect(`/order/detail?order=${status.order}`)
  const step = stepOf(status, open, providers)
  const { t } = page
  const account = accountOf(page)
  const isTransfer = step === 'transfer' || step === 'rest'
  return {
    step,
    title: t(`cashier.${step}Title`),
    text:
      step === 'rest'
        ? t('order.partLead', {
            paid: status.paid?.text ?? '',
            total: status.total.text,
            missing: status.missing?.text ?? '',
          })
        : t(`cashier.${step}Text`),
    order: status.order,
    number: status.order_no,
    amount: step === 'unpaid' ? orderView(reader, order).goods.text : status.total.text,
    method:
      status.method === null || status.method_text === null
        ? null
        : { code: status.method, name: status.method_text },
    state: status.payment_text,
    money: step === 'failed' && order.isUncharged ? t('order.uncharged') : null,
    choice: step === 'failed' ? await otherChoice(page, status) : null,
    held: status.is_payable ? heldOf(page, order.expiresAt, status.seconds_left) : null,
    onward: step === 'waiting' ? status.redirect_url : null,
    transfer: isTransfer ? [...ownLines(page, status), ...account.lines] : [],
    transferNotes: isTransfer ? account.notes : [],
    canCancel: status.is_payable || status.missing !== null,
    known: knownOf(status),
  }
}

export function meta(data: PayData, { t }: PersonalPageContext): PageMeta {
  return { title: data.title, description: t('cashier.payDescription'), noIndex: true }
}

/** Another method than the one that failed is chosen; null where there is none at all. */
async function otherChoice(
  page: PersonalPageContext,
  { order, method }: PayStatusView,
): Promise<MethodChoice | null> {
  const choice = await methodChoice(page, order, null)
  const others = choice.methods.filter(({ code, reason }) => reason === null && code !== method)
  const chosen = chosenMethod(others, null) ?? choice.chosen
  return chosen === null ? null : { ...choice, chosen }
}

function stepOf(
  { payment, missing, redirect_url: redirect }: PayStatusView,
  open: Attempt | null,
  providers: PagePayments['providers'],
): PayStep {
  if (missing !== null) return 'rest'
  if (payment === 'confirming' || payment === 'received') return 'confirming'
  if (open?.provider === BANK_TRANSFER && providers.has(BANK_TRANSFER)) return 'transfer'
  if (open) return redirect === null ? 'confirming' : 'waiting'
  return payment === 'failed' ? 'failed' : 'unpaid'
}

function ownLines(
  { t }: PersonalPageContext,
  { total, missing, order_no: number }: PayStatusView,
): TransferLine[] {
  const { amount, currency } = missing ?? total
  return [
    { label: t('cashier.amount'), value: `${amount} ${currency}` },
    { label: t('cashier.reference'), value: number },
  ]
}

/** "Bank: Sample Bank" stands under its own label; any other line is a word to the payer. */
function accountOf({ payments }: PersonalPageContext): {
  readonly lines: readonly TransferLine[]
  readonly notes: readonly string[]
} {
  const texts = (payments.transferDetails ?? '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  const parted = texts.map((text) => ({ text, parts: /^([^:]{1,40}):\s+(.+)$/.exec(text) }))
  return {
    lines: parted.flatMap(({ parts }) =>
      parts ? [{ label: parts[1] ?? '', value: parts[2] ?? '' }] : [],
    ),
    notes: parted.flatMap(({ text, parts }) => (parts ? [] : [text])),
  }
}
