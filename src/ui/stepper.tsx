import type { ComponentProps, MouseEvent } from 'react'
import { Icon } from './icon.tsx'
import css from './stepper.module.css'

export interface StepperProps extends ComponentProps<'input'> {
  /** What is counted, for screen readers. */
  label: string
  lessLabel: string
  moreLabel: string
}

/**
 * Whole number with a button on each side. It is a native number input (`min`, `max`, `step`, `value` or
 * `defaultValue`): without script the buttons vanish and the input does the work. A press before
 * the page is alive is marked to be repeated.
 */
export function Stepper({ label, lessLabel, moreLabel, ...input }: StepperProps) {
  return (
    <span className={css.stepper}>
      <button
        type="button"
        aria-label={lessLabel}
        disabled={input.disabled}
        onClick={stepDown}
        data-replay=""
      >
        <Icon name="minus" />
      </button>
      <input type="number" inputMode="numeric" aria-label={label} {...input} />
      <button
        type="button"
        aria-label={moreLabel}
        disabled={input.disabled}
        onClick={stepUp}
        data-replay=""
      >
        <Icon name="plus" />
      </button>
    </span>
  )
}

function stepDown(event: MouseEvent<HTMLButtonElement>): void {
  step(event.currentTarget.nextElementSibling, -1)
}

function stepUp(event: MouseEvent<HTMLButtonElement>): void {
  step(event.currentTarget.previousElementSibling, 1)
}

function step(input: Element | null, by: 1 | -1): void {
  if (input instanceof HTMLInputElement) {
    if (by === 1) {
      input.stepUp()
    } else {
      input.stepDown()
    }
    // A script's change fires no event by itself, and onChange listens to this one.
    input.dispatchEvent(new Event('input', { bubbles: true }))
  }
}
