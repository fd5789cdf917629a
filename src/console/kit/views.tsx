import type { ReactNode } from 'react'
import { CONSOLE_PATH } from '../routes.ts'
import { useT } from '../words.tsx'

interface View<Name extends string> {
  readonly name: Name
  readonly text: string
  /** How many there are; nothing where that is not told. */
  readonly count?: string | number | null | undefined
  /** Whether they wait for a person. */
  readonly isUrgent?: boolean
}

/** The views of a page as tabs, each an address of its own. */
export function Views<Name extends string>({
  views,
  current,
  address,
  label,
  children,
}: {
  readonly views: readonly View<Name>[]
  readonly current: Name | null
  /** Where a view is, below /console. */
  readonly address: (view: Name) => string
  /** What they are views of, where a page has several such rows. */
  readonly label?: string
  /** What stands behind the tabs. */
  readonly children?: ReactNode
}) {
  const t = useT()
  return (
    <nav className="views" aria-label={label ?? t('console.orders.views')}>
      {views.map(({ name, text, count, isUrgent }) => (
        <a
          key={name}
          href={CONSOLE_PATH + address(name)}
          aria-current={name === current ? 'page' : undefined}
        >
          {text}
          {count !== undefined && count !== null && (
            <span className={isUrgent ? 'n act' : 'n'}>{count}</span>
          )}
        </a>
      ))}
      {children}
    </nav>
  )
}
