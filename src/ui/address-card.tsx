import type { ReactNode } from 'react'
import css from './address-card.module.css'

/** Cards side by side, as many a line as fit. */
export function AddressCards({ children }: { children: ReactNode }) {
  return <ul className={css.cards}>{children}</ul>
}

export interface AddressCardProps {
  name: string
  /** Lines of the address in the order of its country. */
  lines: readonly string[]
  /** `Badge` of the address used by default. */
  badge?: ReactNode
  /** Buttons: change, remove, use by default. */
  actions?: ReactNode
}

export function AddressCard({ name, lines, badge, actions }: AddressCardProps) {
  return (
    <li className={badge === undefined ? css.card : `${css.card} ${css.main}`}>
      <address>
        {badge}
        <b>
          <bdi>{name}</bdi>
        </b>
        {lines.map((line, index) => (
          <div key={index}>
            <bdi>{line}</bdi>
          </div>
        ))}
      </address>
      {actions === undefined ? null : <div className={css.actions}>{actions}</div>}
    </li>
  )
}
