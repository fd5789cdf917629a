import { Denomination, Denominations } from '#ui/denomination.tsx'
import { Step } from '#ui/panel.tsx'
import type { ReactNode } from 'react'
import { useT } from '../i18n.tsx'
import { island } from '../islands.ts'
import { useStore } from '../state/use-store.ts'
import type { Buying } from './buying.ts'

/** What is chosen among; what else belongs to the step stands below it. */
export function AmountStep({
  buying,
  children,
}: {
  readonly buying: Buying
  readonly children: ReactNode
}) {
  const t = useT()
  const title = t(`product.choose.${buying.data.choice}`)
  return (
    <Step title={title}>
      <div className="stack">
        <Denominations label={title} {...island('amounts')}>
          <Amounts buying={buying} />
        </Denominations>
        {children}
      </div>
    </Step>
  )
}

export function Amounts({ buying }: { readonly buying: Buying }) {
  const { chosen } = useStore(buying.state)
  return buying.data.items.map((item) => (
    <Denomination
      key={item.code}
      name="item"
      value={item.code}
      amount={item.label}
      note={item.bonus ?? undefined}
      price={item.price}
      was={item.was ?? undefined}
      soldOut={item.unavailable ?? undefined}
      checked={chosen === item.code}
      onChange={() => buying.choose(item.code)}
    />
  ))
}
