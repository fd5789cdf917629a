import type { ComponentProps, MouseEvent, ReactNode } from 'react'
import css from './button.module.css'
import { joined } from './class-names.ts'
import { Icon } from './icon.tsx'
import type { IconName } from './icon-paths.ts'

interface ButtonLook {
  /** `pay` is yellow and stands once a view; `solid` leads, `edge` follows, `ghost` is quiet, `bad` destroys. */
  look?: 'pay' | 'solid' | 'edge' | 'ghost' | 'bad' | undefined
  /** 52 px instead of 44, or the smaller text in the same height. */
  size?: 'large' | 'small' | undefined
  /** Takes the whole line. */
  block?: boolean | undefined
  /** Takes the free room of its row. */
  grow?: boolean | undefined
}

export interface ButtonProps extends ButtonLook, ComponentProps<'button'> {
  /** Shows a ring in place of the label, keeps the width and answers no press. */
  busy?: boolean | undefined
  /** Why it cannot be pressed, shown beside it; the button stays reachable by keyboard. `id` is unique in the page. */
  blocked?: { id: string; reason: string } | undefined
}

export interface ButtonLinkProps extends ButtonLook, ComponentProps<'a'> {
  /** As a button's: a press is answered already. */
  busy?: boolean | undefined
}

/** Class names of a button, for elements that must be something else (a `summary`, say). */
export function buttonClass(
  { look = 'edge', size, block, grow }: ButtonLook,
  extra?: string,
): string {
  return joined(css.btn, css[look], size && css[size], block && css.block, grow && css.grow, extra)
}

export function Button({
  look,
  size,
  block,
  grow,
  busy,
  blocked,
  className,
  ...rest
}: ButtonProps) {
  const classes = buttonClass({ look, size, block, grow }, joined(busy && css.busy, className))
  if (!busy && blocked === undefined) {
    return <button type="button" className={classes} {...rest} />
  }
  // Not `disabled`: that would drop the focus and hide the reason from a screen reader.
  const inert = { ...rest, type: 'button', onClick: undefined } as const
  return (
    <>
      <button
        {...inert}
        className={classes}
        aria-busy={busy}
        aria-disabled="true"
        aria-describedby={blocked?.id}
      />
      {blocked === undefined ? null : (
        <span className={css.reason} id={blocked.id}>
          {blocked.reason}
        </span>
      )}
    </>
  )
}

/** A link that looks like a button. */
export function ButtonLink({ look, size, block, grow, busy, className, ...rest }: ButtonLinkProps) {
  const classes = buttonClass({ look, size, block, grow }, joined(busy && css.busy, className))
  return (
    <a
      className={classes}
      {...rest}
      {...(busy ? { onClick: stay, 'aria-busy': true, 'aria-disabled': true } : undefined)}
    />
  )
}

function stay(event: MouseEvent): void {
  event.preventDefault()
}

interface IconLook {
  icon: IconName
  /** Its whole text, for screen readers. */
  label: string
  /** Draws the border of a control. */
  framed?: boolean | undefined
  /** Badge on the icon, say a number of pieces; `label` must say it too. */
  count?: string | undefined
}

/** 44 px button holding only an icon; `aria-pressed` fills it. */
export function IconButton({
  icon,
  label,
  framed,
  count,
  busy,
  ...rest
}: IconLook & { busy?: boolean | undefined } & ComponentProps<'button'>) {
  return (
    <button
      type="button"
      className={joined(css.icon, framed && css.framed, busy && css.busy)}
      aria-label={label}
      aria-busy={busy || undefined}
      {...rest}
    >
      {iconAndCount(icon, count)}
    </button>
  )
}

export function IconLink({ icon, label, framed, count, ...rest }: IconLook & ComponentProps<'a'>) {
  return (
    <a className={framed ? `${css.icon} ${css.framed}` : css.icon} aria-label={label} {...rest}>
      {iconAndCount(icon, count)}
    </a>
  )
}

function iconAndCount(icon: IconName, count: string | undefined): ReactNode {
  return (
    <>
      <Icon name={icon} />
      {count === undefined ? null : (
        <span className={`${css.count} num`} aria-hidden="true">
          {count}
        </span>
      )}
    </>
  )
}
