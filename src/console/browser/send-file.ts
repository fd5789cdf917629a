import type { CallOutcome } from './call.ts'

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

/** Sends a file with a call below `/api/console`; what describes it stands in the address. Throws where no answer came at all. */
export async function sendFile<Data>(
  path: string,
  input: Readonly<Record<string, string>>,
  file: Blob,
): Promise<CallOutcome<Data>> {
  const query = new URLSearchParams(Object.entries(input).filter(([, value]) => value !== ''))
  const answer = await fetch(`/api/console/${path}?${query.toString()}`, {
    method: 'POST',
    headers: { 'content-type': 'application/octet-stream' },
    body: file,
  })
  return outcomeOf<Data>(await answer.json())
}

/** What a call answers that only reads. Throws where no answer came at all. */
export async function readCall<Data>(
  path: string,
  input: Readonly<Record<string, string>>,
): Promise<CallOutcome<Data>> {
  const answer = await fetch(`/api/console/${path}?${new URLSearchParams(input).toString()}`)
  return outcomeOf<Data>(await answer.json())
}

function outcomeOf<Data>(envelope: unknown): CallOutcome<Data> {
  const { code, msg, data } = envelope as Envelope
  if (code === DONE) return { isDone: true, data: data as Data }
  const faults = (data as { readonly fields?: readonly FieldFault[] } | null)?.fields ?? []
  const fields = Object.fromEntries(faults.map((fault) => [fault.field, fault.msg]))
  return { isDone: false, message: msg, fields }
}
