import type { ComponentProps } from 'react'
import { Denomination } from '#ui/denomination.tsx'
import { useT, type Words } from '../i18n.tsx'
import type { ItemChoice } from './choices.ts'
import type { Choosing } from './choosing.ts'

/** One of a product's items as it is chosen, on its own page and where a game offers it. Takes what an `input` takes. */
export function AmountTile({
  item,
  isPopular,
  ...input
}: {
  readonly item: ItemChoice
  readonly isPopular: boolean
} & Pick<ComponentProps<'input'>, 'checked' | 'defaultChecked' | 'onChange'>) {
  const t = useT()
  return (
    <Denomination
      name="item"
      value={item.code}
      amount={item.figure ?? item.label}
      extra={item.extra ?? undefined}
      spoken={spokenOf(item)}
      price={item.price}
      priceNote={item.isFaceValue ? t('product.faceValue') : undefined}
      was={item.was ?? undefined}
      off={item.saving?.off}
      mark={(input.checked && item.level?.mark) || (isPopular ? t('product.popular') : undefined)}
      wide={item.isWide}
      soldOut={item.unavailable ?? undefined}
      {...input}
    />
  )
}

/** What the figures count, and that what comes on top is extra; undefined where the items say it themselves. */
export function unitNote(
  { unit, items }: Pick<Choosing, 'unit' | 'items'>,
  t: Words['t'],
): string | undefined {
  if (unit === null) return undefined
  return items.some(({ extra }) => extra !== null) ? t('product.unitWithBonus', { unit }) : unit
}

/** With the unit, where the figure alone is seen. */
function spokenOf({ figure, label, bonus }: ItemChoice): string | undefined {
  if (figure === null) return undefined
  return bonus === null ? label : `${label} ${bonus}`
}
