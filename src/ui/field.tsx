import type { ComponentProps, ReactNode } from 'react'
import { joined } from './class-names.ts'
import css from './field.module.css'
import { Icon } from './icon.tsx'

export interface FieldProps {
  /** Unique in the page; the label, hint and message are tied to it. */
  id: string
  label: string
  /** Small text after the label, say "optional". */
  aside?: string | undefined
  hint?: string | undefined
  /** Takes the place of the hint: what is wrong and what to do, or what was found. */
  message?: { tone: 'error' | 'good'; text: string } | undefined
  required?: boolean | undefined
}

/** What the control inside a `Field` must carry. */
export interface FieldWiring {
  id: string
  required: boolean | undefined
  'aria-describedby': string | undefined
  'aria-invalid': true | undefined
}

/** Label above, control, hint or message below. `children` receives the attributes that tie them together. */
export function Field({
  children,
  ...field
}: FieldProps & { children: (wiring: FieldWiring) => ReactNode }) {
  const { id, label, aside, hint, message, required } = field
  const noteId = message === undefined && hint === undefined ? undefined : `${id}-note`
  const wiring: FieldWiring = {
    id,
    required,
    'aria-describedby': noteId,
    'aria-invalid': message?.tone === 'error' ? true : undefined,
  }
  return (
    <div className={message === undefined ? css.field : `${css.field} ${css[message.tone]}`}>
      <label className={css.label} htmlFor={id}>
        {label}
        {aside === undefined ? null : <small> {aside}</small>}
      </label>
      {children(wiring)}
      {message === undefined ? hintLine(noteId, hint) : <FieldMessage id={noteId} {...message} />}
    </div>
  )
}

function hintLine(id: string | undefined, hint: string | undefined): ReactNode {
  return hint === undefined ? null : (
    <p className={css.hint} id={id}>
      {hint}
    </p>
  )
}

/** What is wrong with something that is no field of its own. */
export function FieldFault({
  children,
  className,
  ...rest
}: { children: string } & ComponentProps<'div'>) {
  return (
    <div className={joined(css.error, className)} {...rest}>
      <FieldMessage id={undefined} tone="error" text={children} />
    </div>
  )
}

function FieldMessage({
  id,
  tone,
  text,
}: {
  id: string | undefined
  tone: 'error' | 'good'
  text: string
}) {
  return (
    <p className={css.msg} id={id} role={tone === 'error' ? 'alert' : 'status'}>
      <Icon name={tone === 'error' ? 'alert' : 'check'} />
      <span>{text}</span>
    </p>
  )
}

/** What is always written from left to right, in a page of any direction. */
const LATIN_TYPES = ['email', 'tel', 'url']

/** Bare text input; give it a label of its own or use `TextField`. Left-to-right input still begins where the page does. */
export function TextInput({ className, ...rest }: ComponentProps<'input'>) {
  const dir = rest.dir ?? (LATIN_TYPES.includes(rest.type ?? '') ? 'ltr' : undefined)
  return (
    <input
      className={joined(css.input, dir === 'ltr' && css.latin, className)}
      {...rest}
      dir={dir}
    />
  )
}

/** Bare drop-down; `compact` is 44 px and as wide as its text. */
export function Select({
  compact,
  ...rest
}: { compact?: boolean | undefined } & ComponentProps<'select'>) {
  return (
    <span className={css.select}>
      <select className={compact ? `${css.input} ${css.compact}` : css.input} {...rest} />
      <Icon name="down" />
    </span>
  )
}

/** Field with a text input; everything an `input` takes goes to it. */
export function TextField({
  label,
  aside,
  hint,
  message,
  ...input
}: FieldProps & ComponentProps<'input'>) {
  const field = { id: input.id, label, aside, hint, message, required: input.required }
  return <Field {...field}>{(wiring) => <TextInput {...input} {...wiring} />}</Field>
}

/** Field with a drop-down; everything a `select` takes goes to it. */
export function SelectField({
  label,
  aside,
  hint,
  message,
  ...select
}: FieldProps & ComponentProps<'select'>) {
  const field = { id: select.id, label, aside, hint, message, required: select.required }
  return <Field {...field}>{(wiring) => <Select {...select} {...wiring} />}</Field>
}
