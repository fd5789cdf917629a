import { findConfirmation } from '#features/buying/agent/queries.ts'
import type { ConfirmationLine } from '#features/buying/agent/rules.ts'
import { findItem } from '#features/buying/offer/queries.ts'
import { faceValue, wholeLabel } from '#features/goods/browse/view/names.ts'
import { productName } from '#features/goods/browse/views.ts'
import { textIn } from '#features/goods/catalogue/rules.ts'
import { shownDigits } from '#features/goods/currency/rules.ts'
import { parseMajor } from '#kernel/money.ts'
import { formatMoment, formatMoney, formatParts } from '#platform/i18n/format.ts'
import { viewOf } from '../goods/tile.ts'
import { wallCovers } from '../goods/wall.ts'
import type { PageContext, PageMeta, PersonalPageContext } from '../page.ts'

export interface AgentConfirmData {
  readonly covers: readonly string[]
  /** Null once it has ended, and for what is somebody else's. */
  readonly asked: {
    readonly id: string
    readonly state: 'waiting' | 'approved' | 'refused'
    readonly lines: readonly {
      readonly name: string
      readonly quantity: number
      /** Of whom it is credited to. */
      readonly account: readonly string[]
      readonly price: string
    }[]
    readonly total: string
    readonly until: string
  } | null
}

/** The link that a program gives to whom it buys for: nothing happens before the button. */
export async function load(page: PersonalPageContext): Promise<AgentConfirmData> {
  const { ctx, shop, language, person } = page
  const covers = wallCovers(page)
  const id = page.query.get('id') ?? ''
  const asked = person ? await findConfirmation(ctx.db, person.accountId, id, ctx.now()) : null
  const currency = asked ? shop.currencyByCode.get(asked.currency) : undefined
  if (!asked || !currency) return { covers, asked: null }
  const money = (minor: bigint) =>
    formatMoney(language.code, currency.code, minor, currency.minorUnits, shownDigits(currency))
  return {
    covers,
    asked: {
      id: asked.publicId,
      state: asked.state,
      lines: asked.lines.map((line) => ({
        name: nameOf(page, line),
        quantity: line.quantity,
        account: line.account ?? [],
        price: money(parseMajor(line.price, currency.minorUnits) ?? 0n),
      })),
      total: money(asked.amountMinor),
      until: formatMoment(language.code, asked.endsAt, page.timeZone),
    },
  }
}

/** What is bought, as the shop calls it in the reader's language; where it works is part of what they agree to. */
function nameOf(page: PageContext, { item: code, name, amountMinor }: ConfirmationLine): string {
  const { shop, language } = page
  const known = findItem(shop, code)
  if (!known) return name
  const { product, item } = known
  const view = viewOf(page)
  const face = shop.currencyByCode.get(product.faceCurrency ?? '')
  const label =
    amountMinor !== undefined && face
      ? faceValue(language.code, face, BigInt(amountMinor))
      : wholeLabel(view, product, item)
  const region = textIn(product.region.name, language.code)
  return formatParts(language.code, [productName(view, product), label, region])
}

export function meta(_: AgentConfirmData, { t }: PersonalPageContext): PageMeta {
  return { title: t('agent.title'), description: t('agent.text'), noIndex: true }
}
