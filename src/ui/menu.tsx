import type { ComponentProps, ReactNode } from 'react'
import { Discount } from './badge.tsx'
import { Icon } from './icon.tsx'
import type { IconName } from './icon-paths.ts'
import css from './menu.module.css'

export interface MenuProps {
  summary: ReactNode
  /** Look of the summary. */
  summaryClass?: string | undefined
  /** For screen readers, when the summary has no text. */
  label?: string | undefined
  /** Of several with the same name only one is open. */
  name?: string | undefined
  /** Opens towards the start, for menus at the end of a line. */
  end?: boolean | undefined
  /** Beside the entries: then it is as wide as the header, and the entries stand in columns. */
  aside?: ReactNode
  /** `MenuLink`s, `MenuButton`s. */
  children: ReactNode
}

/** Drop-down on `details`: opens without script; closing it on a press elsewhere is the page's business. */
export function Menu({ summary, summaryClass, label, name, end, aside, children }: MenuProps) {
  const isWide = aside !== undefined
  return (
    <details className={isWide ? undefined : css.menu} name={name}>
      <summary className={summaryClass}>
        {summary}
        {label === undefined ? null : <span className="sr">{label}</span>}
      </summary>
      {isWide ? (
        <div className={`${css.pop} ${css.wide}`}>
          <div className="wrap">
            <div className={css.columns}>{children}</div>
            <div>{aside}</div>
          </div>
        </div>
      ) : (
        <div className={end ? `${css.pop} ${css.end}` : css.pop}>{children}</div>
      )}
    </details>
  )
}

interface MenuEntry {
  icon?: IconName | undefined
  /** At the end of the line, say a number. */
  note?: string | undefined
  /** Ready to show: "−12%". */
  discount?: string | undefined
  children: ReactNode
}

export function MenuLink({
  icon,
  note,
  discount,
  children,
  ...rest
}: MenuEntry & ComponentProps<'a'>) {
  return (
    <a className={css.item} {...rest}>
      {entry({ icon, note, discount, children })}
    </a>
  )
}

export function MenuButton({
  icon,
  note,
  discount,
  children,
  ...rest
}: MenuEntry & ComponentProps<'button'>) {
  return (
    <button type="button" className={css.item} {...rest}>
      {entry({ icon, note, discount, children })}
    </button>
  )
}

function entry({ icon, note, discount, children }: MenuEntry): ReactNode {
  return (
    <>
      {icon === undefined ? null : <Icon name={icon} />}
      {children}
      {note === undefined ? null : <small className="num">{note}</small>}
      {discount === undefined ? null : <Discount>{discount}</Discount>}
    </>
  )
}
