import type { ReactNode } from 'react'
import css from './badge.module.css'
import { joined } from './class-names.ts'
import { Icon } from './icon.tsx'
import type { IconName } from './icon-paths.ts'

export interface BadgeProps {
  tone?: 'ok' | 'info' | 'warn' | 'bad' | undefined
  icon?: IconName | undefined
  /** Beside a page's heading. */
  large?: boolean | undefined
  children: ReactNode
}

/** State or property in a few words; neutral without a tone. */
export function Badge({ tone, icon, large, children }: BadgeProps) {
  return (
    <span className={joined(css.badge, tone && css[tone], large && css.large)}>
      {icon === undefined ? null : <Icon name={icon} />}
      {children}
    </span>
  )
}

/** Yellow label of a reduction, ready to show ("−12%"). */
export function Discount({ children }: { children: string }) {
  return <span className={css.off}>{children}</span>
}
