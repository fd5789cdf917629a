import { QUANTITY_MAX } from '#features/buying/order/rules.ts'
import { Button, ButtonLink, IconButton } from '#ui/button.tsx'
import { Icon } from '#ui/icon.tsx'
import { IconList } from '#ui/list.tsx'
import { Note } from '#ui/note.tsx'
import { Panel } from '#ui/panel.tsx'
import { Stepper } from '#ui/stepper.tsx'
import { MobileBar, SummaryList, type SummaryRow, type SummaryTotal } from '#ui/summary.tsx'
import type { ReactNode } from 'react'
import { useHref, useT, type Words } from '../i18n.tsx'
import { totalMinor, writeAmount } from './amounts.ts'
import type { ProductData } from './load.ts'
import type { Buying } from './use-buying.ts'

/** The form of the steps; its buttons stand outside of it. */
export const FORM_ID = 'buy'

/** The last step: what is bought, its total, and the ways on. */
export function CheckAndPay({
  data,
  buying,
}: {
  readonly data: ProductData
  readonly buying: Buying
}) {
  const t = useT()
  const isSoldOut = data.items.every((item) => item.unavailable !== null)
  return (
    <Panel title={t('product.checkAndPay')}>
      <div className="stack">
        <SummaryList
          rows={isSoldOut ? regionRow(data, t) : summaryRows(data, buying, t)}
          total={totalOf(data, buying, t)}
        />
        {isSoldOut ? (
          <Button
            look="pay"
            size="large"
            block
            blocked={{ id: 'sold-out', reason: t('product.allSoldOut') }}
          >
            {t('goods.soldOut')}
          </Button>
        ) : (
          <>
            <div className="wide-only">
              <BuyNow buying={buying} large />
            </div>
            <div className="row">
              <Button
                type="submit"
                form={FORM_ID}
                look="edge"
                grow
                busy={buying.busy === 'add'}
                data-replay=""
              >
                <Icon name="cart" />
                {t('product.addToCart')}
              </Button>
            </div>
          </>
        )}
        <noscript>
          <Note>{t('product.needsScript')}</Note>
        </noscript>
        <IconList items={data.assurances} />
      </div>
    </Panel>
  )
}

/** The same on a phone, always in sight. */
export function PayBar({ data, buying }: { readonly data: ProductData; readonly buying: Buying }) {
  const t = useT()
  const total = totalOf(data, buying, t)
  if (!total || data.items.every((item) => item.unavailable !== null)) return null
  return (
    <MobileBar name={t('product.checkAndPay')} label={total.label} total={total.value}>
      <IconButton
        type="submit"
        form={FORM_ID}
        icon="cart"
        label={t('product.addToCart')}
        framed
        busy={buying.busy === 'add'}
        data-replay=""
      />
      <BuyNow buying={buying} />
    </MobileBar>
  )
}

/** A link, so that it leads on without script too; the press first puts the goods into the cart. */
function BuyNow({
  buying,
  large,
}: {
  readonly buying: Buying
  readonly large?: boolean
}): ReactNode {
  const t = useT()
  const href = useHref()
  return (
    <ButtonLink
      href={href('/shop-cart')}
      look="pay"
      size={large ? 'large' : undefined}
      block={large}
      grow={!large}
      busy={buying.busy === 'buy'}
      onClick={buying.buy}
      data-replay=""
    >
      {t('product.buyNow')}
    </ButtonLink>
  )
}

function summaryRows(data: ProductData, buying: Buying, t: Words['t']): SummaryRow[] {
  const { item } = buying
  const account = data.fields
    .map(({ key }) => buying.values[key]?.trim() ?? '')
    .filter((value) => value !== '')
  return [
    {
      label: t(`product.row.${data.choice}`),
      value: item ? item.label : t('product.nothingChosen'),
      note: item?.bonus ?? undefined,
      look: item ? undefined : 'muted',
    },
    ...(account.length === 0
      ? []
      : [
          {
            label: t('product.row.account'),
            value: account.map((value, index) => (
              <div key={index} className="mono">
                {value}
              </div>
            )),
          },
        ]),
    ...regionRow(data, t),
    ...(item?.minor
      ? [{ label: t('product.row.price'), value: <bdi className="num">{item.price}</bdi> }]
      : []),
    ...(item?.saving
      ? [
          {
            label: t('product.row.saving'),
            value: savingText(item.saving, data, buying, t),
            look: 'ok' as const,
          },
        ]
      : []),
    ...(item?.stock ? [{ label: t('product.row.stock'), value: item.stock }] : []),
    { label: t('product.row.quantity'), value: <Quantity buying={buying} />, look: 'control' },
  ]
}

function regionRow(data: ProductData, t: Words['t']): SummaryRow[] {
  return data.fields.length > 0 && data.regions.length === 1
    ? []
    : [{ label: t('product.row.region'), value: data.region }]
}

function Quantity({ buying }: { readonly buying: Buying }) {
  const t = useT()
  return (
    <Stepper
      ref={buying.quantityInput}
      label={t('product.row.quantity')}
      lessLabel={t('product.less')}
      moreLabel={t('product.more')}
      min={1}
      max={buying.item?.limit ?? QUANTITY_MAX}
      value={buying.quantityText}
      autoComplete="off"
      onChange={(event) => buying.setQuantity(event.target.value)}
      onBlur={() => buying.item && buying.setQuantity(String(buying.quantity))}
    />
  )
}

/**
 * The total of what is chosen; before that, what the cheapest costs. The server's own text for one unit; more units come
 * only of something the visitor did.
 */
function totalOf(
  { money, lowest }: ProductData,
  { item, quantity }: Buying,
  t: Words['t'],
): SummaryTotal | undefined {
  if (!item?.minor)
    return lowest === null ? undefined : { label: t('goods.from'), value: lowest, muted: true }
  return {
    label: t('product.total'),
    value: quantity === 1 ? item.price : writeAmount(money, totalMinor(item.minor, quantity)),
  }
}

function savingText(
  saving: { minor: string; text: string; percent: string },
  { money }: ProductData,
  { quantity }: Buying,
  t: Words['t'],
): string {
  const amount =
    quantity === 1 ? saving.text : writeAmount(money, totalMinor(saving.minor, quantity))
  return t('product.savedOf', { amount, percent: saving.percent })
}
