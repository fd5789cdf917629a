import { joined } from './class-names.ts'
import { Icon } from './icon.tsx'
import type { IconName } from './icon-paths.ts'
import css from './timeline.module.css'

export interface TimelineStep {
  text: string
  /** A tick is for what succeeded, a cross for what went wrong, a pencil for what is to be done; everything else just happened. */
  tone?: 'ok' | 'info' | 'warn' | 'bad' | null | undefined
  /** When it happened; left out for what is yet to come. */
  time?: { iso: string; text: string } | undefined
}

/**
 * What has happened, step by step, and what is yet to come: the newest first, as who looks wants to know how it stands; the last thing
 * that happened is where it stands now. How a step went is told by the sign and its shape, and by `badLabel` to whoever hears the list.
 */
export function Timeline({
  label,
  badLabel,
  steps,
}: {
  label: string
  badLabel: string
  steps: readonly TimelineStep[]
}) {
  const now = steps.findLastIndex((step) => step.time !== undefined)
  return (
    <ol className={css.list} aria-label={label} reversed>
      {steps
        .map((step, index) => (
          <li
            key={`${index} ${step.text}`}
            className={joined(
              step.time && css[signOf(step)],
              step.time === undefined && css.open,
              index === now && css.now,
            )}
            aria-current={index === now ? 'step' : undefined}
          >
            <span className={css.dot}>
              {step.time ? <Icon name={ICONS[signOf(step)]} /> : null}
            </span>
            <b>
              {step.text}
              {step.time && signOf(step) === 'bad' ? (
                <span className="sr"> ({badLabel})</span>
              ) : null}
            </b>
            {step.time === undefined ? null : (
              <time className="num" dateTime={step.time.iso}>
                {step.time.text}
              </time>
            )}
          </li>
        ))
        .toReversed()}
    </ol>
  )
}

const ICONS = {
  good: 'check',
  bad: 'x',
  todo: 'pencil',
  neutral: 'minus',
} as const satisfies Record<string, IconName>

function signOf({ tone }: TimelineStep): keyof typeof ICONS {
  if (tone === 'warn') return 'todo'
  return tone === 'ok' ? 'good' : tone === 'bad' ? 'bad' : 'neutral'
}
