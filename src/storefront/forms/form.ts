import type { ApiPosts } from '#api/contract.ts'
import { FORM_FIELD } from './form-field.ts'
import type { VisitorChange, VisitorLine } from './visitor-cart.ts'

/** What a form's fields hold, by name. */
export interface Fields {
  /** '' when the field is absent. */
  readonly text: (name: string) => string
  /** Of several fields of one name: check boxes that are on. */
  readonly all: (name: string) => string[]
  /** Of every check box of this name that is on. */
  readonly texts: (name: string) => readonly string[]
  /** Of every field that is filled in whose name begins so, by the rest of its name. */
  readonly beginning: (prefix: string) => Record<string, string>
  /** A check box. */
  readonly isOn: (name: string) => boolean
  /** Null when none was chosen. */
  readonly file: (name: string) => File | null
}

/**
 * A form of a page: the wire call it makes, and where it leads. In the browser the client makes the call; without script the
 * form is posted to the page's own address and the server makes the same call, then shows the page again with what was typed
 * and what is wrong with it. Pure: it runs on both sides.
 */
export interface PageForm<Path extends keyof ApiPosts = keyof ApiPosts> {
  readonly call: Path
  readonly body: (fields: Fields) => ApiPosts[Path]['body']
  /**
   * Where to go when it went well: a path of this shop without language prefix, or an address that the call answered.
   * Null: the page again, where the form's outcome is `done`.
   */
  readonly done: (
    data: ApiPosts[Path]['data'],
    fields: Fields,
    query: URLSearchParams,
  ) => string | null
  /**
   * Where a visitor comes back to who is asked to sign in first, a path of this shop without language prefix; the page itself where
   * it does not say.
   */
  readonly comeBack?: (fields: Fields) => string | null
  /** What it does where nobody is signed in, to the cart that the browser keeps. */
  readonly asVisitor?: (fields: Fields, lines: readonly VisitorLine[]) => VisitorChange
  /** Fields that are never shown again. */
  readonly secret?: readonly string[]
}

/** Ties a form to its call's types. */
export function pageForm<const Path extends keyof ApiPosts>(form: PageForm<Path>): PageForm<Path> {
  return form
}

/** A form whichever call it makes: what the call answers is what its own `done` takes. */
export interface AnyForm {
  readonly call: keyof ApiPosts
  readonly body: (fields: Fields) => object
  readonly done: (data: never, fields: Fields, query: URLSearchParams) => string | null
  readonly comeBack?: (fields: Fields) => string | null
  readonly asVisitor?: (fields: Fields, lines: readonly VisitorLine[]) => VisitorChange
  readonly secret?: readonly string[]
}

/** `src/storefront/<page>/forms.ts` exports `forms`: its page's forms by name. */
export type PageForms = Readonly<Record<string, AnyForm>>

/** What became of a form that was sent. */
export interface Outcome {
  /** Name of the form within its page. */
  readonly form: string
  readonly isDone: boolean
  /** Envelope code. */
  readonly code: number
  /** What the call answered, or the data of its refusal. */
  readonly data: unknown
  /** Sentence for the form as a whole; null when the fields say it all. */
  readonly message: string | null
  /** Sentence at each field at fault. */
  readonly faults: Readonly<Record<string, string>>
  /** What was typed, without secrets. */
  readonly values: Readonly<Record<string, string>>
}

interface Answered {
  readonly code: number
  readonly msg: string
  readonly data: unknown
}

/** The outcome of a call that a form made. */
export function outcomeOf(
  name: string,
  envelope: Answered,
  values: Readonly<Record<string, string>>,
): Outcome {
  const faults = envelope.code === 1 ? [] : faultsOf(envelope.data)
  return {
    form: name,
    isDone: envelope.code === 1,
    code: envelope.code,
    data: envelope.data,
    message: envelope.code === 1 || faults.length > 0 ? null : envelope.msg,
    faults: Object.fromEntries(faults.map(({ field, msg }) => [field, msg])),
    values,
  }
}

function faultsOf(data: unknown): readonly { readonly field: string; readonly msg: string }[] {
  const fields = (data as { readonly fields?: unknown } | null)?.fields
  return Array.isArray(fields) ? (fields as { field: string; msg: string }[]) : []
}

/** Reads a form's fields, whoever sent it. */
export function fieldsOf(form: FormData): Fields {
  return {
    text: (name) => {
      const value = form.get(name)
      return typeof value === 'string' ? value : ''
    },
    all: (name) => form.getAll(name).filter((value) => typeof value === 'string'),
    texts: (name) => form.getAll(name).filter((value) => typeof value === 'string'),
    beginning: (prefix) =>
      Object.fromEntries(
        [...form].flatMap(([name, value]) =>
          name.startsWith(prefix) && typeof value === 'string' && value !== ''
            ? [[name.slice(prefix.length), value] as const]
            : [],
        ),
      ),
    isOn: (name) => form.has(name),
    file: (name) => {
      const value = form.get(name)
      return value instanceof File && value.size > 0 ? value : null
    },
  }
}

/** What was typed, as it may be shown again. */
export function shownValues(
  form: FormData,
  secret: readonly string[] = [],
): Record<string, string> {
  const shown = [...form].filter(
    (entry): entry is [string, string] =>
      typeof entry[1] === 'string' && !secret.includes(entry[0]),
  )
  return Object.fromEntries(shown.filter(([name]) => name !== FORM_FIELD))
}
