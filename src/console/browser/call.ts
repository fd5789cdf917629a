/** What a call of the console answered: its data, or what was wrong, and at which fields. */
export type CallOutcome<Data> =
  | { readonly isDone: true; readonly data: Data }
  | {
      readonly isDone: false
      readonly message: string
      /** What is wrong with a field, by its name. */
      readonly fields: Readonly<Record<string, string>>
    }

interface Envelope {
  readonly code: number
  readonly msg: string
  readonly data: unknown
}

interface FieldFault {
  readonly field: string
  readonly msg: string
}

const DONE = 1

/** Makes a call below `/api/console`. Throws where no answer came at all. */
export async function callConsole<Data>(
  path: string,
  body: Readonly<Record<string, unknown>> = {},
): Promise<CallOutcome<Data>> {
  return outcomeOf(
    await fetch(`/api/console/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  )
}

/** Makes a call that reads. Throws where no answer came at all. */
export async function readConsole<Data>(
  path: string,
  query: Readonly<Record<string, string>>,
): Promise<CallOutcome<Data>> {
  return outcomeOf(await fetch(`/api/console/${path}?${new URLSearchParams(query).toString()}`))
}

/** Sends a file with a call; its input stands in the address. */
export async function sendFile<Data>(
  path: string,
  query: Readonly<Record<string, string>>,
  file: Blob,
): Promise<CallOutcome<Data>> {
  return outcomeOf(
    await fetch(`/api/console/${path}?${new URLSearchParams(query).toString()}`, {
      method: 'POST',
      headers: { 'content-type': 'application/octet-stream' },
      body: file,
    }),
  )
}

async function outcomeOf<Data>(answer: Response): Promise<CallOutcome<Data>> {
  const { code, msg, data } = (await answer.json()) as Envelope
  if (code === DONE) return { isDone: true, data: data as Data }
  const faults = (data as { readonly fields?: readonly FieldFault[] } | null)?.fields ?? []
  const fields = Object.fromEntries(faults.map((fault) => [fault.field, fault.msg]))
  return { isDone: false, message: msg, fields }
}
