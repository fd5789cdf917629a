import { Denominations } from '#ui/denomination.tsx'
import { FieldFault } from '#ui/field.tsx'
import { Step } from '#ui/panel.tsx'
import type { ReactNode } from 'react'
import { useT } from '../i18n.tsx'
import { island } from '../islands.ts'
import { useStore } from '../state/use-store.ts'
import { AmountTile, unitNote } from './amount-tile.tsx'
import { chosenOf, type Buying } from './buying.ts'
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
  return (
    <Step title={title} note={unitNote({ unit, items }, t)}>
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
  const { data } = buying
  const state = useStore(buying.state)
  const { item: chosen } = chosenOf(state)
  return (
    <>
      {state.items.map((item) => (
        <AmountTile
          key={item.code}
          item={item}
          isPopular={item.code === data.popular}
          checked={chosen?.code === item.code}
          onChange={() => buying.choose(item.code)}
        />
      ))}
      {state.itemFault === null ? null : (
        <FieldFault className={css.line} data-missing="">
          {state.itemFault}
        </FieldFault>
      )}
      {state.items.some(({ unitPrice }) => unitPrice !== null) ? (
        <p className={css.unit}>{chosen?.unitPrice}</p>
      ) : null}
    </>
  )
}
