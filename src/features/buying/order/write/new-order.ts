import type { Ctx } from '#platform/ctx.ts'
import { newPublicId, sha256 } from '#platform/secrets.ts'
import { goodsTotal, LIVES_MINUTES, requestText, type Purchase } from '../rules.ts'

const MINUTE_MS = 60_000

/** An order as JSON names its columns; amounts as texts, so that none is rounded. */
export function rowOf(ctx: Ctx, purchase: Purchase, requestKey: string) {
  const now = ctx.now()
  return {
    id: ctx.newId(),
    public_id: newPublicId(ctx),
    account_id: purchase.accountId,
    request_key: requestKey,
    request_hash: sha256(requestText(purchase)).toString('hex'),
    currency: purchase.currency,
    goods_minor: goodsTotal(purchase.lines).toString(),
    tax_minor: purchase.tax.minor.toString(),
    tax_basis_points: purchase.tax.basisPoints,
    pricing: purchase.pricing,
    language: purchase.language,
    country: purchase.country,
    evidence: purchase.evidence,
    terms_version: purchase.termsVersion,
    expires_at: new Date(now.getTime() + LIVES_MINUTES * MINUTE_MS),
    created_at: now,
    has_cards: purchase.lines.some(({ goodsType }) => goodsType === 1 || goodsType === 4),
    has_charging: purchase.lines.some(({ goodsType }) => goodsType === 2 || goodsType === 3),
    ...partsOf(ctx, purchase),
    event_id: ctx.newId(),
    actor: ctx.actor,
    request_id: ctx.requestId,
  }
}

function partsOf(ctx: Ctx, purchase: Purchase) {
  const lines = purchase.lines.map((line, position) => ({
    id: ctx.newId(),
    position,
    item: line.item,
    item_code: line.itemCode,
    product: line.product,
    goods_type: line.goodsType,
    delivery: line.delivery,
    product_name: line.productName,
    item_name: line.itemName,
    quantity: line.quantity,
    price_minor: line.priceMinor.toString(),
    base_minor: line.baseMinor.toString(),
    base_currency: line.baseCurrency,
    account_fields: line.accountFields,
    amount_minor: line.amount?.minor.toString() ?? null,
    amount_currency: line.amount?.currency ?? null,
    price_steps: line.priceSteps ?? null,
    ...taxOf(line),
  }))
  const units = lines.flatMap((line) =>
    Array.from({ length: line.quantity }, (_, index) => ({
      id: ctx.newId(),
      public_id: newPublicId(ctx),
      line_id: line.id,
      unit_no: index + 1,
      item: line.item,
      delivery: line.delivery,
      price_minor: line.price_minor,
    })),
  )
  return { lines, units }
}

/** Nothing where nothing was said of its tax: the row is then as it always was. */
function taxOf({ tax }: Purchase['lines'][number]) {
  if (!tax) return {}
  return {
    tax_class: tax.taxClass,
    tax_basis_points: tax.basisPoints,
    tax_minor: tax.minor.toString(),
  }
}
