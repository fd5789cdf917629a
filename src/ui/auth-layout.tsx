import { type ReactNode, useEffect, useRef } from 'react'
import css from './auth-layout.module.css'
import { joined } from './class-names.ts'
import { Picture } from './picture.tsx'

export interface AuthLayoutProps {
  title: string
  /** Sentence under the title. */
  text?: ReactNode
  /** Above the title, say a `StepTrail`. */
  before?: ReactNode
  /** Addresses of the pictures that hang on the wall, twelve at best; shown from 1024 px. */
  covers: readonly string[]
  /** Took the place of another one after something the person did: the heading takes the focus. */
  arrived?: boolean | undefined
  children: ReactNode
}

/** Two sides: a narrow form and a wall of hanging cards; on a phone the form alone. */
export function AuthLayout({ title, text, before, covers, arrived, children }: AuthLayoutProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (!arrived) return
    scrollTo(0, 0)
    heading.current?.focus({ preventScroll: true })
  }, [arrived])
  return (
    <div className={css.page}>
      <div className={css.side}>
        <div className={css.form}>
          {before}
          <div>
            <h1 ref={heading} tabIndex={arrived ? -1 : undefined}>
              {title}
            </h1>
            {text === undefined ? null : <p className={css.lead}>{text}</p>}
          </div>
          {children}
        </div>
      </div>
      <div className={css.art} aria-hidden="true">
        <div className={css.wall}>
          {covers.map((cover) => (
            <Picture key={cover} src={cover} width={240} height={320} alt="" hanging />
          ))}
        </div>
      </div>
    </div>
  )
}

/** A word between two lines: another way follows. */
export function Or({ children }: { children: string }) {
  return <p className={css.or}>{children}</p>
}

/** Buttons of equal weight in a row, as many a line as fit. */
export function Doors({ children }: { children: ReactNode }) {
  return <div className={css.doors}>{children}</div>
}

export interface StepTrailProps {
  /** Names the list for screen readers. */
  label: string
  steps: readonly string[]
  /** Index of the step shown; as many as there are steps when all are done. */
  now: number
}

/** Where a person is in a short sequence of pages. */
export function StepTrail({ label, steps, now }: StepTrailProps) {
  return (
    <ol className={css.trail} aria-label={label}>
      {steps.map((step, index) => (
        <li
          key={step}
          className={joined(index < now && css.done, index === now && css.now)}
          aria-current={index === now ? 'step' : undefined}
        >
          {step}
        </li>
      ))}
    </ol>
  )
}
