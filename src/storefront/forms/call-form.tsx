import {
  useEffect,
  useRef,
  useState,
  type ComponentProps,
  type FormEvent,
  type ReactNode,
} from 'react'
import { CallFailed } from '../browser/api.ts'
import { useWords, type Words } from '../i18n.tsx'
import { localPath } from '../local-path.ts'
import { client } from '../state/client.ts'
import { refreshPage } from '../state/refresh.ts'
import { refreshPerson } from '../state/session.ts'
import { fieldsOf, outcomeOf, shownValues, type AnyForm, type Outcome } from './form.ts'
import { FORM_FIELD } from './form-field.ts'
import { usePageState } from './page-state.tsx'

/** What the inside of a form is drawn from. */
export interface FormView {
  /** The call is under way. */
  readonly busy: boolean
  /** Of the last sending; null before the first. */
  readonly outcome: Outcome | null
  /** Attributes of a text field: what was typed, and what is wrong with it. */
  readonly field: (
    name: string,
    initial?: string,
  ) => {
    readonly name: string
    readonly defaultValue: string
    readonly message: { readonly tone: 'error'; readonly text: string } | undefined
    readonly autoFocus: boolean
  }
  /** Whether a check box was on when the form was sent, `initial` before. */
  readonly isOn: (name: string, initial: boolean) => boolean
}

export interface CallFormProps
  extends Omit<ComponentProps<'form'>, 'children' | 'onSubmit' | 'action' | 'method'> {
  /** Its name in the page's `forms`. */
  readonly name: string
  readonly form: AnyForm
  /** The form holds a file. */
  readonly takesFile?: boolean
  /** Before the call is made; it waits for that, and is not made where the answer is false. */
  readonly before?: () => Promise<unknown>
  /** After the call went well, before going on. */
  readonly onDone?: (data: unknown, values: Readonly<Record<string, string>>) => void
  /** After the call was refused, for pages that then show another form. */
  readonly onRefused?: (outcome: Outcome) => void
  readonly children: (view: FormView) => ReactNode
}

/**
 * A form that makes a wire call: by the browser's client, or without script by the server from the posted form. What is wrong
 * comes back to the fields either way, and what was typed stays.
 */
export function CallForm({
  name,
  form,
  takesFile,
  before,
  onDone,
  onRefused,
  children,
  ...rest
}: CallFormProps) {
  const words = useWords()
  const page = usePageState()
  const { element, outcome, setOutcome, refuse } = useOutcome(
    page.outcome?.form === name ? page.outcome : null,
  )
  const [busy, setBusy] = useState(false)

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (busy) return
    const target = event.currentTarget
    const data = new FormData(target, (event.nativeEvent as SubmitEvent).submitter)
    const missing = missingFields(target)
    if (missing.length > 0)
      return refuse(incomplete(name, missing, shownValues(data, form.secret), words))
    setBusy(true)
    if ((await before?.()) === false) return setBusy(false)
    const sent = await send(name, form, data, words)
    if (!sent.isDone) {
      setBusy(false)
      refuse(sent)
      return onRefused?.(sent)
    }
    onDone?.(sent.data, sent.values)
    const to = form.done(
      sent.data as never,
      fieldsOf(data),
      new URLSearchParams(page.address.split('?')[1] ?? ''),
    )
    if (to !== null) {
      // It stays busy until the other page is there; who comes back finds it ready.
      addEventListener('pageshow', () => setBusy(false), { once: true })
      return location.assign(to.startsWith('/') ? localPath(words.prefix, to) : to)
    }
    setBusy(false)
    setOutcome(sent)
    void refreshPerson()
    refreshPage()
  }

  return (
    <form
      ref={element}
      method="post"
      action={localPath(words.prefix, page.address)}
      encType={takesFile ? 'multipart/form-data' : undefined}
      onSubmit={(event) => void submit(event)}
      onInput={(event) => setOutcome(withoutFault(outcome, event.target))}
      {...rest}
    >
      <input type="hidden" name={FORM_FIELD} value={name} />
      {children(viewOf(outcome, busy))}
    </form>
  )
}

/** How the last try went: from the server for a page it made anew, from the call after that. */
function useOutcome(posted: Outcome | null) {
  const [outcome, setOutcome] = useState(posted)
  const element = useRef<HTMLFormElement>(null)
  // A refusal to be shown to the person; editing a field afterwards must not move the focus again.
  const [refusal, setRefusal] = useState(outcome)
  useEffect(() => {
    if (refusal && !refusal.isDone)
      element.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  }, [refusal])
  useEffect(() => {
    // Without script the browser's own bubbles do; with it they would speak another language than the page.
    if (element.current) element.current.noValidate = true
  }, [])
  const refuse = (refused: Outcome): void => {
    setOutcome(refused)
    setRefusal(refused)
  }
  return { element, outcome, setOutcome, refuse }
}

function viewOf(outcome: Outcome | null, busy: boolean): FormView {
  return {
    busy,
    outcome,
    field: (field, initial = '') => {
      const fault = outcome?.faults[field]
      return {
        name: field,
        defaultValue: outcome?.values[field] ?? initial,
        message: fault === undefined ? undefined : { tone: 'error', text: fault },
        // For a page that the server made anew; with script the focus moves by itself.
        autoFocus: fault !== undefined && Object.keys(outcome?.faults ?? {})[0] === field,
      }
    },
    isOn: (field, initial) => (outcome ? field in outcome.values : initial),
  }
}

async function send(name: string, form: AnyForm, data: FormData, words: Words): Promise<Outcome> {
  const values = shownValues(data, form.secret)
  try {
    const answer: unknown = await client
      .get()
      ?.post(form.call, form.body(fieldsOf(data)) as never, { showCheckMsg: false })
    return outcomeOf(name, { code: 1, msg: '', data: answer }, values)
  } catch (error) {
    const refused = error instanceof CallFailed ? error : new CallFailed(0, '')
    return outcomeOf(
      name,
      {
        code: refused.code,
        msg: refused.message || words.t('shell.requestFailed'),
        data: refused.data,
      },
      values,
    )
  }
}

/** Names of the fields that must be filled in and are not; the browser's own bubbles would speak another language. */
function missingFields(form: HTMLFormElement): string[] {
  const fields = [...form.elements].filter(
    (element) =>
      element instanceof HTMLInputElement ||
      element instanceof HTMLSelectElement ||
      element instanceof HTMLTextAreaElement,
  )
  return fields
    .filter((field) => field.required && field.validity.valueMissing && !field.disabled)
    .map((field) => field.name)
}

function incomplete(
  form: string,
  missing: readonly string[],
  values: Readonly<Record<string, string>>,
  { t }: Words,
): Outcome {
  const faults = Object.fromEntries(missing.map((field) => [field, t('shell.fieldRequired')]))
  return {
    form,
    isDone: false,
    code: 0,
    data: null,
    message: t('shell.completeAllFields'),
    faults,
    values,
  }
}

/** What was wrong with a field is no longer true once it is edited. */
function withoutFault(outcome: Outcome | null, field: EventTarget): Outcome | null {
  const name = 'name' in field ? String(field.name) : ''
  if (!outcome || !Object.hasOwn(outcome.faults, name)) return outcome
  const { [name]: _, ...faults } = outcome.faults
  return { ...outcome, faults }
}
