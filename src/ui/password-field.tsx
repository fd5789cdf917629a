import { type ComponentProps, type PointerEvent, useEffect, useRef, useState } from 'react'
import { Field, type FieldProps, TextInput } from './field.tsx'
import { Icon } from './icon.tsx'
import css from './password-field.module.css'

export interface PasswordFieldProps
  extends FieldProps,
    Omit<ComponentProps<'input'>, 'id' | 'required' | 'type'> {
  /** Names the button that shows what is typed. */
  showLabel: string
}

/** Field for a password, with a button that shows it. Give it `autoComplete`: `current-password` or `new-password`. */
export function PasswordField({
  label,
  aside,
  hint,
  message,
  showLabel,
  ...input
}: PasswordFieldProps) {
  const field = { id: input.id, label, aside, hint, message, required: input.required }
  return (
    <Field {...field}>
      {(wiring) => {
        const described = [input['aria-describedby'], wiring['aria-describedby']]
          .filter(Boolean)
          .join(' ')
        return (
          <PasswordInput
            {...input}
            {...wiring}
            aria-describedby={described === '' ? undefined : described}
            showLabel={showLabel}
          />
        )
      }}
    </Field>
  )
}

function PasswordInput({ showLabel, ...input }: { showLabel: string } & ComponentProps<'input'>) {
  const ref = useRef<HTMLInputElement>(null)
  const caret = useRef<{ start: number; end: number } | null>(null)
  const [shown, setShown] = useState(false)
  useEffect(() => {
    const kept = caret.current
    caret.current = null
    if (kept === null) return undefined
    // Changing the type of an input throws its caret to an end, in Chromium as late as the next layout.
    const frame = requestAnimationFrame(() => ref.current?.setSelectionRange(kept.start, kept.end))
    return () => cancelAnimationFrame(frame)
  }, [shown])
  useEffect(() => {
    // Sent as a password, so that the browser offers to keep it and never remembers it as a word typed.
    const form = ref.current?.form
    const hide = (): void => setShown(false)
    form?.addEventListener('submit', hide, true)
    return () => form?.removeEventListener('submit', hide, true)
  }, [])
  const toggle = (): void => {
    const { current } = ref
    if (current && document.activeElement === current)
      caret.current = { start: current.selectionStart ?? 0, end: current.selectionEnd ?? 0 }
    setShown(!shown)
  }
  return (
    <span className={css.box}>
      <TextInput
        {...input}
        ref={ref}
        type={shown ? 'text' : 'password'}
        dir="ltr"
        spellCheck={false}
        autoCapitalize="none"
        autoCorrect="off"
      />
      <button
        type="button"
        className={css.eye}
        aria-label={showLabel}
        aria-pressed={shown}
        aria-controls={input.id}
        onPointerDown={stayInInput}
        onClick={toggle}
        data-replay=""
      >
        <Icon name={shown ? 'eye-off' : 'eye'} />
      </button>
    </span>
  )
}

/** The press must not take the focus, and with it a phone's keyboard, from the input. */
function stayInInput(event: PointerEvent<HTMLButtonElement>): void {
  event.preventDefault()
}

export interface PasswordRule {
  text: string
  /** Whether what is typed keeps the rule; an empty text keeps none. */
  isMet: (typed: string) => boolean
}

export interface NewPasswordFieldProps extends PasswordFieldProps {
  rules: readonly PasswordRule[]
  /** Said to screen readers beside a rule that is kept ("met"). */
  metText: string
}

/** Field for a password to be set: the rules under it are ticked off while it is typed. */
export function NewPasswordField({ rules, metText, onInput, ...field }: NewPasswordFieldProps) {
  const [typed, setTyped] = useState('')
  const id = `${field.id}-rules`
  useEffect(() => {
    // What was typed before the page came alive, or filled in by the browser.
    const input = document.getElementById(field.id)
    if (input instanceof HTMLInputElement) setTyped(input.value)
  }, [field.id])
  return (
    <div className={css.group}>
      <PasswordField
        autoComplete="new-password"
        {...field}
        aria-describedby={id}
        onInput={(event) => {
          setTyped(event.currentTarget.value)
          onInput?.(event)
        }}
      />
      <RuleList
        id={id}
        rules={rules}
        typed={typed}
        metText={metText}
        isRefused={field.message !== undefined}
      />
    </div>
  )
}

interface RuleListProps {
  id: string
  rules: readonly PasswordRule[]
  typed: string
  metText: string
  /** What was typed was refused: rules that it breaks are crossed. */
  isRefused?: boolean
}

/** Rules for a text, each ticked when the text keeps it. */
export function RuleList({ id, rules, typed, metText, isRefused = false }: RuleListProps) {
  return (
    <ul className={css.rules} id={id}>
      {rules.map((rule) => {
        const met = typed !== '' && rule.isMet(typed)
        const isBroken = isRefused && typed !== '' && !met
        return (
          <li key={rule.text} className={met ? css.met : isBroken ? css.broken : undefined}>
            {met || isBroken ? <Icon name={met ? 'check' : 'x'} /> : <span className={css.ring} />}
            <span>
              {rule.text}
              {met ? <span className="sr"> ({metText})</span> : null}
            </span>
          </li>
        )
      })}
    </ul>
  )
}
