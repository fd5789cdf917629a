import type { ReactNode } from 'react'
import { Icon } from './icon.tsx'
import type { IconName } from './icon-paths.ts'
import css from './list.module.css'

/** Numbered instructions. */
export function HowTo({ steps }: { steps: readonly ReactNode[] }) {
  return (
    <ol className={css.howto}>
      {steps.map((step, index) => (
        <li key={index}>
          <div>{step}</div>
        </li>
      ))}
    </ol>
  )
}

export interface IconListProps {
  items: readonly { icon: IconName; text: string }[]
  /** Beside one another while there is room, instead of one under the other. */
  inline?: boolean | undefined
}

/** Short facts, an icon before each. */
export function IconList({ items, inline }: IconListProps) {
  return (
    <ul className={inline ? `${css.icons} ${css.line}` : css.icons}>
      {items.map((item) => (
        <li key={item.text}>
          <Icon name={item.icon} />
          <span>{item.text}</span>
        </li>
      ))}
    </ul>
  )
}
