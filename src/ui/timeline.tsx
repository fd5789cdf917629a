import { joined } from './class-names.ts'
import { Icon } from './icon.tsx'
import css from './timeline.module.css'

export interface TimelineStep {
  text: string
  /** When it happened; left out for what is yet to come. */
  time?: { iso: string; text: string } | undefined
}

/** More steps than this run downwards on a desktop too. */
const ACROSS_MAX = 6

/** What has happened, step by step, and what is yet to come; the last thing that happened is where it stands now. */
export function Timeline({ label, steps }: { label: string; steps: readonly TimelineStep[] }) {
  const now = steps.findLastIndex((step) => step.time !== undefined)
  return (
    <ol className={joined(css.list, steps.length <= ACROSS_MAX && css.across)} aria-label={label}>
      {steps.map((step, index) => (
        <li
          key={`${index} ${step.text}`}
          className={joined(step.time && css.done, index === now && css.now)}
          aria-current={index === now ? 'step' : undefined}
        >
          <span className={css.dot}>
            <Icon name="check" />
          </span>
          <div>
            <b>{step.text}</b>
            {step.time === undefined ? null : (
              <p className="small muted num">
                <time dateTime={step.time.iso}>{step.time.text}</time>
              </p>
            )}
          </div>
        </li>
      ))}
    </ol>
  )
}
