import type { ProofKind } from '#features/team/operator/rules.ts'
import { interruptions } from './interruptions.ts'

/** What a call of the console answered: its data, or what was wrong, and at which fields. */
export type CallOutcome<Data> =
  | { readonly isDone: true; readonly data: Data }
  | {
      readonly isDone: false
      /** Of the envelope: what was wrong, for programs. */
      readonly code: number
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
const SIGNED_OUT = 401
const PROOF_NEEDED = 2403

/**
 * Makes a call below `/api/console`. Where it asks for a fresh proof, or the session has ended meanwhile, the operator is asked for it over
 * the page, and the call is made again: what was typed stays where it is. Throws where no answer came at all.
 */
export function callConsole<Data>(
  path: string,
  body: Readonly<Record<string, unknown>> = {},
): Promise<CallOutcome<Data>> {
  return ask(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
}

/** The same of a call that only reads. */
export function readConsole<Data>(
  path: string,
  query: Readonly<Record<string, string>> = {},
  signal?: AbortSignal,
): Promise<CallOutcome<Data>> {
  const params = new URLSearchParams(query).toString()
  return ask(params === '' ? path : `${path}?${params}`, signal ? { signal } : {})
}

/** The same with a file; its input stands in the address. */
export function sendFile<Data>(
  path: string,
  query: Readonly<Record<string, string>>,
  file: Blob,
): Promise<CallOutcome<Data>> {
  const given = Object.entries(query).filter(([, value]) => value !== '')
  return ask(`${path}?${new URLSearchParams(given).toString()}`, {
    method: 'POST',
    headers: { 'content-type': 'application/octet-stream' },
    body: file,
  })
}

/**
 * A call that a page makes by itself, and that goes out even where the page is being closed: nobody is asked for anything on its account.
 * @returns null where there was no answer to it
 */
export function callQuietly<Data>(
  path: string,
  body: Readonly<Record<string, unknown>>,
): Promise<Data | null> {
  return quietly(path, {
    method: 'POST',
    keepalive: true,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
}

/** The same of a call that only reads. */
export const readQuietly = <Data>(path: string): Promise<Data | null> => quietly(path, {})

async function quietly<Data>(path: string, init: RequestInit): Promise<Data | null> {
  try {
    const answer = await fetch(`/api/console/${path}`, init)
    const { code, data } = (await answer.json()) as Envelope
    return code === DONE ? (data as Data) : null
  } catch {
    return null
  }
}

/**
 * Takes a file that a call gives out, and saves it as the browser saves downloads. A fresh proof, or a new sign-in, is asked for as for any
 * other call.
 */
export async function takeFile(
  path: string,
  body: Readonly<Record<string, unknown>>,
): Promise<CallOutcome<Record<string, never>>> {
  const answer = await fetch(`/api/console/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (answer.headers.get('content-type')?.startsWith('application/json')) {
    const { code, msg, data } = (await answer.json()) as Envelope
    if (await isMended(path, code, data)) return takeFile(path, body)
    return { isDone: false, code, message: msg, fields: {} }
  }
  const address = URL.createObjectURL(await answer.blob())
  const link = document.createElement('a')
  link.href = address
  link.download =
    /filename="([^"]+)"/.exec(answer.headers.get('content-disposition') ?? '')?.[1] ?? 'file'
  link.click()
  URL.revokeObjectURL(address)
  return { isDone: true, data: {} }
}

async function ask<Data>(path: string, init: RequestInit): Promise<CallOutcome<Data>> {
  const answer = await fetch(`/api/console/${path}`, init)
  const { code, msg, data } = (await answer.json()) as Envelope
  if (code === DONE) return { isDone: true, data: data as Data }
  if (await isMended(path, code, data)) return ask(path, init)
  const faults = (data as { readonly fields?: readonly FieldFault[] } | null)?.fields ?? []
  const fields = Object.fromEntries(faults.map((fault) => [fault.field, fault.msg]))
  return { isDone: false, code, message: msg, fields }
}

async function isMended(path: string, code: number, data: unknown): Promise<boolean> {
  if (code === PROOF_NEEDED)
    return interruptions().prove((data as { readonly kind: ProofKind }).kind)
  return code === SIGNED_OUT && !path.startsWith('sign_in') && interruptions().signInAgain()
}
