import type { ComponentProps, ReactNode } from 'react'
import { Button, IconButton } from './button.tsx'
import { Icon } from './icon.tsx'
import css from './notice.module.css'

export interface CookieBannerProps extends Omit<ComponentProps<'form'>, 'children'> {
  /** Names the banner for screen readers. */
  label: string
  text: ReactNode
  /** Both buttons submit the form under `name`, with the value `refuse` or `accept`. */
  name: string
  refuseText: string
  acceptText: string
  /** Hidden inputs. */
  children?: ReactNode
}

/** Two choices of equal weight. A form, so that it works without script. */
export function CookieBanner(props: CookieBannerProps) {
  const { label, text, name, refuseText, acceptText, children, ...form } = props
  return (
    <form className={css.cookie} aria-label={label} {...form}>
      <p>{text}</p>
      {children}
      <div className={css.choices}>
        <Button type="submit" name={name} value="refuse">
          {refuseText}
        </Button>
        <Button type="submit" name={name} value="accept">
          {acceptText}
        </Button>
      </div>
    </form>
  )
}

/** A question that can wait, at the foot of the window: over the page, so that nothing moves. `label` names it. */
export function AskStrip({ label, ...rest }: { label: string } & ComponentProps<'form'>) {
  return <form className={`${css.cookie} ${css.ask}`} aria-label={label} {...rest} />
}

/** Where toasts appear. Keep it in the page, empty, so that screen readers announce what comes. */
export function ToastRegion({ label, ...rest }: { label: string } & ComponentProps<'div'>) {
  return (
    <div className={css.toasts} role="region" aria-label={label} aria-live="polite" {...rest} />
  )
}

export interface ToastProps {
  tone?: 'ok' | 'error' | 'info' | undefined
  children: ReactNode
  /** The way on. */
  link?: ReactNode
  closeLabel: string
  onClose: () => void
}

export function Toast({ tone = 'info', children, link, closeLabel, onClose }: ToastProps) {
  return (
    <div className={css.toast} role={tone === 'error' ? 'alert' : undefined}>
      <Icon name={tone === 'error' ? 'alert' : tone === 'ok' ? 'check' : 'info'} />
      <span>{children}</span>
      {link}
      <IconButton icon="x" label={closeLabel} onClick={onClose} />
    </div>
  )
}

/** 3 px at the top of the window while something is waited for: `value` of 100, red when `data-progress` is `failed`. Hidden until it is shown. */
export function ProgressBar({ label }: { label: string }) {
  return (
    <progress className={css.load} max={100} value={0} aria-label={label} data-progress="" hidden />
  )
}

/** Line across the page while the browser is offline. Hidden until it is; the place around it is there, so that it is announced. */
export function OfflineBanner({ children }: { children: ReactNode }) {
  return (
    <div role="status">
      <div className={css.offline} data-offline="" hidden>
        <Icon name="alert" />
        <span>{children}</span>
      </div>
    </div>
  )
}

/** First thing the Tab key reaches; hidden until then. */
export function SkipLink({
  href = '#main',
  children,
}: {
  href?: string | undefined
  children: string
}) {
  return (
    <a className={css.skip} href={href}>
      {children}
    </a>
  )
}
