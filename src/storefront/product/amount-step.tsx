import { Denomination, Denominations } from '#ui/denomination.tsx'
import { FieldFault } from '#ui/field.tsx'
import { Step } from '#ui/panel.tsx'
import type { ReactNode } from 'react'
import { useT } from '../i18n.tsx'
import { island } from '../islands.ts'
import { useStore } from '../state/use-store.ts'
import { chosenOf, type Buying } from './buying.ts'
import type { ItemChoice } from './choices.ts'
import css from './product.module.css'

/** What is chosen among; the unit is said once, beside the heading. */
export function AmountStep({
  buying,
  unit,
  children,
}: {
  readonly buying: Buying
  readonly unit: string | null
  readonly children: ReactNode
}) {
  const t = useT()
  const { choice, items } = buying.data
  const title = t(`product.choose.${choice}`)
  const hasExtra = items.some(({ extra }) => extra !== null)
  const note = unit === null ? undefined : hasExtra ? t('product.unitWithBonus', { unit }) : unit
  return (
    <Step title={title} note={note}>
      <div className="stack">
        <Denominations label={unit === null ? title : `${title}: ${unit}`} {...island('amounts')}>
          <Amounts buying={buying} />
        </Denominations>
        {children}
      </div>
    </Step>
  )
}

export function Amounts({ buying }: { readonly buying: Buying }) {
  const t = useT()
  const { data } = buying
  const state = useStore(buying.state)
  const { item: chosen } = chosenOf(data, state)
  return (
    <>
      {data.items.map((item) => (
        <Denomination
          key={item.code}
          name="item"
          value={item.code}
          amount={item.figure ?? item.label}
          extra={item.extra ?? undefined}
          spoken={spokenOf(item)}
          price={item.price}
          priceNote={item.isFaceValue ? t('product.faceValue') : undefined}
          was={item.was ?? undefined}
          off={item.saving?.off}
          mark={item.code === data.popular ? t('product.popular') : undefined}
          wide={item.isWide}
          soldOut={item.unavailable ?? undefined}
          checked={chosen?.code === item.code}
          onChange={() => buying.choose(item.code)}
        />
      ))}
      {state.itemFault === null ? null : (
        <FieldFault className={css.line} data-missing="">
          {state.itemFault}
        </FieldFault>
      )}
      {data.items.some(({ unitPrice }) => unitPrice !== null) ? (
        <p className={css.unit}>{chosen?.unitPrice}</p>
      ) : null}
    </>
  )
}

/** With the unit, where the figure alone is seen. */
function spokenOf({ figure, label, bonus }: ItemChoice): string | undefined {
  if (figure === null) return undefined
  return bonus === null ? label : `${label} ${bonus}`
}
