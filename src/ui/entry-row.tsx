import type { ReactNode } from 'react'
import css from './entry-row.module.css'
import { Icon } from './icon.tsx'
import type { IconName } from './icon-paths.ts'

/** List of `EntryRow`s. */
export function EntryList({
  label,
  children,
}: {
  label?: string | undefined
  children: ReactNode
}) {
  return (
    <ul className={css.list} aria-label={label}>
      {children}
    </ul>
  )
}

export interface EntryRowProps {
  icon: IconName
  name: string
  /** After the name: a `Badge` ("This device", "Linked"). */
  badge?: ReactNode
  /** Lines under the name: place and time of a device, the name at a linked service. */
  notes?: readonly string[] | undefined
  /** Button or form at the end; under the text on a phone. */
  action?: ReactNode
}

/** One thing that belongs to a person and can be ended: a device, a linked account, a passkey. */
export function EntryRow({ icon, name, badge, notes = [], action }: EntryRowProps) {
  return (
    <li className={css.row}>
      <span className={css.mark}>
        <Icon name={icon} />
      </span>
      <div>
        <div className={css.name}>
          <b>
            <bdi>{name}</bdi>
          </b>
          {badge}
        </div>
        {notes.map((note) => (
          <small key={note}>{note}</small>
        ))}
      </div>
      {action === undefined ? null : <div className={css.action}>{action}</div>}
    </li>
  )
}

export interface KeyValue {
  label: string
  value: ReactNode
  /** Under the value. */
  note?: string | undefined
  /** Link or button that changes it. */
  action?: ReactNode
}

/** What is known of something, one fact a line, each with its own way to change it. */
export function KeyValues({ items }: { items: readonly KeyValue[] }) {
  return (
    <dl>
      {items.map((item) => (
        <div key={item.label} className={css.pair}>
          <dt>{item.label}</dt>
          <dd>
            {item.value}
            {item.note === undefined ? null : <small>{item.note}</small>}
          </dd>
          {item.action === undefined ? null : <dd className={css.act}>{item.action}</dd>}
        </div>
      ))}
    </dl>
  )
}
