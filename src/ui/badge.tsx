import type { ReactNode } from 'react'
import css from './badge.module.css'
import { Icon } from './icon.tsx'
import type { IconName } from './icon-paths.ts'

export interface BadgeProps {
  tone?: 'ok' | 'info' | 'warn' | 'bad' | undefined
  icon?: IconName | undefined
  children: ReactNode
}

/** State or property in a few words; neutral without a tone. */
export function Badge({ tone, icon, children }: BadgeProps) {
  return (
    <span className={tone === undefined ? css.badge : `${css.badge} ${css[tone]}`}>
      {icon === undefined ? null : <Icon name={icon} />}
      {children}
    </span>
  )
}

/** Yellow label of a reduction, ready to show ("−12%"). */
export function Discount({ children }: { children: string }) {
  return <span className={css.off}>{children}</span>
}
