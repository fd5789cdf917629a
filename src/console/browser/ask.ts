import type { CallOutcome } from './call.ts'

/** Asks a reading call below `/api/console`. Throws where no answer came at all. */
export async function askConsole<Data>(
  path: string,
  params: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<CallOutcome<Data>> {
  const query = new URLSearchParams(params).toString()
  const answer = await fetch(`/api/console/${path}?${query}`, { signal })
  const { code, msg, data } = (await answer.json()) as {
    readonly code: number
    readonly msg: string
    readonly data: unknown
  }
  return code === 1
    ? { isDone: true, data: data as Data }
    : { isDone: false, message: msg, fields: {} }
}
