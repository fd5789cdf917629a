import type { ComponentProps, ReactNode } from 'react'
import css from './chip.module.css'
import { Icon } from './icon.tsx'
import type { IconName } from './icon-paths.ts'

interface ChipLook {
  icon?: IconName | undefined
  children: ReactNode
}

export interface ChipLinkProps extends Omit<ComponentProps<'a'>, 'children'>, ChipLook {
  /** This chip names the page or list shown. */
  current?: boolean | undefined
  /** Following it takes a filter away: chosen look, a cross, and this as its whole text ("Remove filter: Mobile"). */
  removeLabel?: string | undefined
}

export function ChipLink({ icon, current, removeLabel, children, ...rest }: ChipLinkProps) {
  return (
    <a
      className={removeLabel === undefined ? css.chip : `${css.chip} ${css.on}`}
      aria-current={current ? 'true' : undefined}
      aria-label={removeLabel}
      {...rest}
    >
      {icon === undefined ? null : <Icon name={icon} />}
      {children}
      {removeLabel === undefined ? null : <Icon name="x" />}
    </a>
  )
}

/** Row of chips that scrolls sideways to the edges of the page; breaks into lines on a desktop (`wrap`: everywhere). */
export function ChipRow({ wrap, ...rest }: { wrap?: boolean | undefined } & ComponentProps<'div'>) {
  return (
    <div
      className={wrap ? css.wrap : css.scroll}
      data-show-current={wrap ? undefined : ''}
      {...rest}
    />
  )
}
