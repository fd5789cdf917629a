import {
  type ClipboardEvent,
  type ComponentProps,
  type InputEvent,
  type ReactNode,
  useEffect,
  useState,
} from 'react'
import { Button, type ButtonProps } from './button.tsx'
import css from './code-field.module.css'
import { Field, type FieldProps, TextInput } from './field.tsx'

export interface CodeFieldProps
  extends FieldProps,
    Omit<ComponentProps<'input'>, 'id' | 'required' | 'type'> {
  /** How many digits the code has. */
  digits?: number | undefined
  /** Beside the input: a `SendAgain`. */
  action?: ReactNode
}

/** Field for a code of digits sent or shown elsewhere: the phone's keyboard of figures, filled in from messages. */
export function CodeField({
  label,
  aside,
  hint,
  message,
  digits = 6,
  action,
  ...input
}: CodeFieldProps) {
  const field = { id: input.id, label, aside, hint, message, required: input.required }
  return (
    <Field {...field}>
      {(wiring) => (
        <span className={css.line}>
          <TextInput
            inputMode="numeric"
            autoComplete="one-time-code"
            dir="ltr"
            spellCheck={false}
            {...input}
            {...wiring}
            onPaste={(event) => paste(event, digits)}
            onInput={(event: InputEvent<HTMLInputElement>) => {
              tidy(event.currentTarget, digits)
              input.onInput?.(event)
            }}
          />
          {action}
        </span>
      )}
    </Field>
  )
}

/** Takes the digits out of what is pasted: codes are often written "482 013". */
function paste(event: ClipboardEvent<HTMLInputElement>, most: number): void {
  const found = digitsOf(event.clipboardData.getData('text')).slice(0, most)
  if (found === '') return
  event.preventDefault()
  const input = event.currentTarget
  input.value = found
  input.dispatchEvent(new Event('input', { bubbles: true }))
}

function tidy(input: HTMLInputElement, most: number): void {
  const { value, selectionStart } = input
  const found = digitsOf(value).slice(0, most)
  if (found === value) return
  const before = digitsOf(value.slice(0, selectionStart ?? value.length)).length
  input.value = found
  input.setSelectionRange(before, before)
}

/** Where the figures of other scripts begin: Arabic, Persian, Devanagari, Thai, Burmese, full width. */
const ZEROS = [0x660, 0x6f0, 0x966, 0xe50, 0x1040, 0xff10]

/** The decimal digits in a text, as 0–9. */
export function digitsOf(text: string): string {
  let found = ''
  for (const letter of text) {
    const code = letter.charCodeAt(0)
    if (letter >= '0' && letter <= '9') found += letter
    const zero = ZEROS.find((start) => code >= start && code < start + 10)
    if (zero !== undefined) found += String(code - zero)
  }
  return found
}

export interface SendAgainProps extends Omit<ButtonProps, 'children'> {
  /** Before the first sending and when the wait is over ("Send code", "Send again"). */
  text: string
  /** While waiting ("Send again in 48 s"). */
  waitText: (seconds: number) => string
  /** Seconds to wait; changing `since` starts them anew. 0: none. */
  seconds: number
  /** Counts the sendings. */
  since?: number | undefined
}

/** Button that sends a code and then counts down until it can be sent again. */
export function SendAgain({ text, waitText, seconds, since, ...button }: SendAgainProps) {
  const left = useSecondsLeft(seconds, since)
  if (left === 0) return <Button {...button}>{text}</Button>
  return (
    <Button {...button} type="button" onClick={undefined} aria-disabled="true">
      <span className={css.wait}>{waitText(left)}</span>
    </Button>
  )
}

function useSecondsLeft(seconds: number, since: number | undefined): number {
  const [left, setLeft] = useState(seconds)
  useEffect(() => {
    setLeft(seconds)
    if (seconds === 0) return undefined
    const end = performance.now() + seconds * 1000
    const timer = setInterval(() => {
      const rest = Math.max(0, Math.ceil((end - performance.now()) / 1000))
      setLeft(rest)
      if (rest === 0) clearInterval(timer)
    }, 1000)
    return () => clearInterval(timer)
  }, [seconds, since])
  return left
}
