import { useState, type ReactNode } from 'react'
import { CodeField, SendAgain } from '#ui/code-field.tsx'
import { Note } from '#ui/note.tsx'
import { useHref, useT } from '../i18n.tsx'
import { CallForm, type FormView } from './call-form.tsx'
import type { AnyForm } from './form.ts'
import { usePageState } from './page-state.tsx'

/** Before another code can be asked for; the server has limits of its own. */
const WAIT_SECONDS = 60

/** Where a code was sent, in pages whose second step needs it. */
export interface CodeSent {
  /** Null before the first sending. */
  readonly to: string | null
  /** Sendings by this very page; a page made without script counts none, so that its button can be pressed. */
  readonly times: number
  readonly onSent: (data: unknown, values: Readonly<Record<string, string>>) => void
  /** Back to the first step. */
  readonly forget: () => void
}

/**
 * Follows where a page's code went, the same with and without script.
 * @param sender form that has it sent, with the address in the field `account`
 * @param receiver form of the second step, and its field that holds the address
 */
export function useCodeSent(
  sender: string,
  receiver: { readonly form: string; readonly field: string },
): CodeSent {
  const { outcome } = usePageState()
  const posted =
    outcome?.form === sender && outcome.isDone
      ? outcome.values['account']
      : outcome?.form === receiver.form
        ? outcome.values[receiver.field]
        : undefined
  const [sent, setSent] = useState<{ readonly to: string | null; readonly times: number }>({
    to: posted || null,
    times: 0,
  })
  return {
    ...sent,
    onSent: (_, values) => setSent({ to: values['account'] ?? null, times: sent.times + 1 }),
    forget: () => setSent({ to: null, times: 0 }),
  }
}

interface SentCodeProps {
  readonly view: FormView
  readonly id: string
  readonly name: string
  readonly label: string
  /** What to do when none comes; of mails where left out. */
  readonly hint?: string
  readonly sent: CodeSent
  /** Id of the `SendAgainForm` beside this form. */
  readonly again: string
}

/** Field for the mailed code with the button that has it sent anew; that button belongs to another form. */
export function SentCode({ view, id, name, label, hint, sent, again }: SentCodeProps) {
  const t = useT()
  const field = view.field(name)
  return (
    <CodeField
      id={id}
      label={label}
      required
      hint={hint ?? t('form.codeMissing')}
      {...field}
      autoFocus={field.autoFocus || view.outcome === null}
      action={
        <SendAgain
          type="submit"
          form={again}
          seconds={sent.times > 0 ? WAIT_SECONDS : 0}
          since={sent.times}
          text={t('form.sendAgain')}
          waitText={(seconds) => t('form.sendAgainIn', { seconds })}
        />
      }
    />
  )
}

interface SendAgainFormProps {
  readonly id: string
  readonly name: string
  readonly form: AnyForm
  readonly sent: CodeSent
  /** More hidden fields of the call. */
  readonly children?: ReactNode
}

/** The form behind "Send again": nothing of it shows but what went wrong. */
export function SendAgainForm({ id, name, form, sent, children }: SendAgainFormProps) {
  return (
    <CallForm id={id} name={name} form={form} onDone={sent.onSent}>
      {(view) => (
        <>
          <input type="hidden" name="account" value={sent.to ?? ''} />
          {children}
          <Refusal view={view} />
        </>
      )}
    </CallForm>
  )
}

/** Back to the first step: by script in place, without it by opening the page anew. */
export function OtherAddress({
  sent,
  path,
  text,
}: {
  readonly sent: CodeSent
  readonly path: string
  readonly text: string
}) {
  const href = useHref()
  return (
    <a
      className="link small"
      href={href(path)}
      onClick={(event) => {
        event.preventDefault()
        sent.forget()
      }}
    >
      {text}
    </a>
  )
}

/** The sentence for a form as a whole, where its fields do not say it all. */
export function Refusal({ view }: { readonly view: FormView }) {
  const message = view.outcome?.isDone ? null : view.outcome?.message
  return message ? (
    <Note tone="bad" role="alert">
      {message}
    </Note>
  ) : null
}
