import { QUANTITY_MAX } from '#features/buying/order/rules.ts'
import { Button, IconButton } from '#ui/button.tsx'
import { Icon } from '#ui/icon.tsx'
import { IconList } from '#ui/list.tsx'
import { Note } from '#ui/note.tsx'
import { Panel } from '#ui/panel.tsx'
import { Stepper } from '#ui/stepper.tsx'
import {
  MobileBarFrame,
  MobileTotal,
  SummaryList,
  type SummaryRow,
  type SummaryTotal,
} from '#ui/summary.tsx'
import { FORM_FIELD } from '../forms/form-field.ts'
import { useT, type Words } from '../i18n.tsx'
import { island } from '../islands.ts'
import { useStore } from '../state/use-store.ts'
import { totalMinor, writeAmount } from './amounts.ts'
import type { BuyData } from './buy-data.ts'
import {
  chosenOf,
  FORM_ID,
  missingStep,
  QUANTITY_ID,
  type Buying,
  type BuyingState,
} from './buying.ts'
import type { ProductData } from './load.ts'
import { Trust } from './trust.tsx'

/** The last step: what is bought, its total, and the ways on. */
export function CheckAndPay({
  data,
  buying,
}: {
  readonly data: ProductData
  readonly buying: Buying
}) {
  const t = useT()
  return (
    <Panel title={t('product.checkAndPay')}>
      <div className="stack">
        <div className="stack" {...island('summary')}>
          <Summary buying={buying} />
        </div>
        {isSoldOut(data) ? null : (
          <noscript>
            <Note>{t('product.signInFirst')}</Note>
          </noscript>
        )}
        <Trust data={data} />
        <IconList items={data.assurances} />
      </div>
    </Panel>
  )
}

export function Summary({ buying }: Part) {
  const t = useT()
  const { data } = buying
  const state = useStore(buying.state)
  if (isSoldOut(data))
    return (
      <>
        <SummaryList rows={regionRow(data, t)} total={totalOf(data, state, t)} />
        <Button
          look="pay"
          size="large"
          block
          blocked={{ id: 'sold-out', reason: t('product.allSoldOut') }}
        >
          {t('product.buyNow')}
        </Button>
      </>
    )
  return (
    <>
      <SummaryList rows={summaryRows(buying, state, t)} total={totalOf(data, state, t)} />
      {/* What Enter in a field presses: the first of a form's buttons. */}
      <button type="submit" form={FORM_ID} name={FORM_FIELD} value="add" hidden data-replay="" />
      <div className="wide-only">
        <BuyNow buying={buying} large />
      </div>
      <div className="row">
        <Button
          type="submit"
          form={FORM_ID}
          name={FORM_FIELD}
          value="add"
          look="edge"
          grow
          busy={state.busy === 'add'}
          data-replay=""
        >
          <Icon name="cart" />
          {t('product.addToCart')}
        </Button>
      </div>
    </>
  )
}

/** The same on a phone, always in sight. */
export function PayBar({ buying }: Part) {
  const t = useT()
  const { data, state } = buying
  if (isSoldOut(data) || !totalOf(data, state.initial, t)) return null
  return (
    <MobileBarFrame name={t('product.checkAndPay')} {...island('bar')}>
      <BarContent buying={buying} />
    </MobileBarFrame>
  )
}

export function BarContent({ buying }: Part) {
  const t = useT()
  const state = useStore(buying.state)
  const total = totalOf(buying.data, state, t)
  return (
    <>
      <MobileTotal label={total?.label ?? ''} total={total?.value ?? ''} />
      <IconButton
        type="submit"
        form={FORM_ID}
        name={FORM_FIELD}
        value="add"
        icon="cart"
        label={t('product.addToCart')}
        framed
        busy={state.busy === 'add'}
        data-replay=""
      />
      <BuyNow buying={buying} />
    </>
  )
}

interface Part {
  readonly buying: Buying
}

function isSoldOut({ items }: Pick<BuyData, 'items'>): boolean {
  return items.every((item) => item.unavailable !== null)
}

/** Without script the form itself orders; with it the press is told what is missing, in its place. */
function BuyNow({ buying, large }: Part & { readonly large?: boolean }) {
  const t = useT()
  const state = useStore(buying.state)
  const missing = missingStep(state)
  return (
    <Button
      type="submit"
      form={FORM_ID}
      name={FORM_FIELD}
      value="buyNow"
      look={missing === null ? 'pay' : 'edge'}
      size={large ? 'large' : undefined}
      block={large}
      grow={!large}
      busy={state.busy === 'buy'}
      onClick={(event) => {
        event.preventDefault()
        void buying.buy()
      }}
      data-replay=""
    >
      {missing === null ? (
        t('product.buyNow')
      ) : (
        <>
          <span className="with-script">{nextText(missing, buying.data, t)}</span>
          <span className="without-script">{t('product.buyNow')}</span>
        </>
      )}
    </Button>
  )
}

/** While a step is missing the button names it, and leads there. */
function nextText(
  missing: ReturnType<typeof missingStep>,
  { choice }: BuyData,
  t: Words['t'],
): string {
  if (missing === null) return t('product.buyNow')
  return missing === 'amount' ? t(`product.choose.${choice}`) : t('product.enterAccount')
}

function summaryRows(buying: Buying, state: BuyingState, t: Words['t']): SummaryRow[] {
  const { data } = buying
  const { item, quantity } = chosenOf(state)
  const account = data.fields
    .map(({ key }) => state.values[key]?.trim() ?? '')
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
      ? [
          item.level ?? {
            label: t('product.row.price'),
            value: <bdi className="num">{item.price}</bdi>,
          },
        ]
      : []),
    ...(item?.saving
      ? [
          {
            label: t('product.row.saving'),
            value: savingText(item.saving, data, quantity, t),
            look: 'ok' as const,
          },
        ]
      : []),
    ...(item?.stock ? [{ label: t('product.row.stock'), value: item.stock }] : []),
    { label: t('product.row.quantity'), value: <Quantity buying={buying} />, look: 'control' },
  ]
}

function regionRow(data: BuyData, t: Words['t']): SummaryRow[] {
  return data.showsRegion ? [{ label: t('product.row.region'), value: data.region }] : []
}

function Quantity({ buying }: Part) {
  const t = useT()
  const state = useStore(buying.state)
  const { item, quantity } = chosenOf(state)
  return (
    <Stepper
      id={QUANTITY_ID}
      form={FORM_ID}
      name="quantity"
      label={t('product.row.quantity')}
      lessLabel={t('product.less')}
      moreLabel={t('product.more')}
      min={1}
      max={item?.limit ?? QUANTITY_MAX}
      value={state.quantityText}
      autoComplete="off"
      onChange={(event) => buying.setQuantity(event.target.value)}
      onBlur={() => item && buying.setQuantity(String(quantity))}
    />
  )
}

/**
 * The total of what is chosen; before that, what the cheapest costs. The server's own text for one unit; more units come
 * only of something the visitor did.
 */
function totalOf(data: BuyData, state: BuyingState, t: Words['t']): SummaryTotal | undefined {
  const { money } = data
  const { lowest } = state
  const { item, quantity } = chosenOf(state)
  if (!item?.minor)
    return lowest === null ? undefined : { label: t('goods.from'), value: lowest, muted: true }
  return {
    label: t('product.total'),
    value: quantity === 1 ? item.price : writeAmount(money, totalMinor(item.minor, quantity)),
  }
}

function savingText(
  saving: { minor: string; text: string; percent: string },
  { money }: BuyData,
  quantity: number,
  t: Words['t'],
): string {
  const amount =
    quantity === 1 ? saving.text : writeAmount(money, totalMinor(saving.minor, quantity))
  return t('product.savedOf', { amount, percent: saving.percent })
}
