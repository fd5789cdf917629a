import { useEffect } from 'react'
import type { ApiPosts } from '#api/contract.ts'
import { CallFailed } from '../browser/api.ts'
import { client } from '../state/client.ts'
import { createStore } from '../state/store.ts'
import { typedNumber } from '../state/typed-number.ts'
import { useStore } from '../state/use-store.ts'

export type Detected = ApiPosts['recharge/detect']['data']

/** What is known of the number that is typed. */
export interface Detection {
  /** What was asked about. */
  readonly typed: string
  readonly country: string
  /** `unasked`: too little is typed, or nobody could be asked. */
  readonly state: 'unasked' | 'asking' | 'good' | 'bad'
  readonly answer: Detected | null
  /** The shop's word on what is wrong. */
  readonly message: string
  /** Whether suppliers have been asked, too. */
  readonly isFinal: boolean
}

const NOTHING: Detection = {
  typed: '',
  country: '',
  state: 'unasked',
  answer: null,
  message: '',
  isFinal: false,
}

export const detection = createStore<Detection>(NOTHING, { isPersonal: true })

/** What is known of the number as it stands now: an answer about what was typed before is none. */
export function useDetected(): Detection {
  const typed = useStore(typedNumber)
  const known = useStore(detection)
  return known.typed === typed ? known : NOTHING
}

/** Fewer digits are no whole number with its calling code. */
const DIGITS_MIN = 9
/** Numbers of one country differ by as many digits. */
const SHORTER = 2
const PAUSE_MS = 200

/**
 * Asks whose number is typed, once it is about as long as one of its country: by its first digits at once, then by who knows of numbers
 * that have moved.
 */
export function useDetection(country: string, example: string | null): void {
  const typed = useStore(typedNumber)
  const isLong = digitsOf(typed) >= (example === null ? DIGITS_MIN : digitsOf(example) - SHORTER)
  useEffect(() => {
    const known = detection.get()
    if (known.typed === typed && known.country === country && known.isFinal) return
    if (!isLong) return detection.set(NOTHING)
    const controller = new AbortController()
    const timer = setTimeout(() => void detect(typed, country, controller.signal), PAUSE_MS)
    return () => {
      clearTimeout(timer)
      controller.abort()
    }
  }, [typed, country, isLong])
}

const digitsOf = (text: string) => text.replace(/\P{Nd}/gu, '').length

/** The number in its whole form for who buys at once; null while there is none. */
export async function readNumber(country: string): Promise<string | null> {
  const typed = typedNumber.get()
  const known = detection.get()
  const isKnown = known.typed === typed && known.country === country && known.answer !== null
  if (!isKnown) await askOnce(typed, country, 'prefix')
  return detection.get().answer?.number ?? null
}

async function detect(typed: string, country: string, signal: AbortSignal): Promise<void> {
  const found = await askOnce(typed, country, 'prefix', signal)
  // Where numbers stay, their first digits say all there is to know.
  if (!found || signal.aborted || (found.operator !== null && !found.is_portable)) return
  await askOnce(typed, country, 'supplier', signal)
}

async function askOnce(
  typed: string,
  country: string,
  ask: 'prefix' | 'supplier',
  signal?: AbortSignal,
): Promise<Detected | null> {
  const before = detection.get()
  const isSame = before.typed === typed && before.country === country
  if (!isSame) detection.set({ ...NOTHING, typed, country, state: 'asking' })
  try {
    const answer = await client
      .get()
      ?.post(
        'recharge/detect',
        { number: typed, ask, ...(country === '' ? {} : { country }) },
        { showCheckMsg: false, ...(signal ? { signal } : {}) },
      )
    if (signal?.aborted || !answer) return null
    const isFinal = ask === 'supplier' || (answer.operator !== null && !answer.is_portable)
    detection.set({ typed, country, state: 'good', answer, message: '', isFinal })
    return answer
  } catch (error) {
    if (signal?.aborted) return null
    // What the first digits said stands, where more could not be found out.
    if (isSame && before.answer) detection.set({ ...before, isFinal: true })
    else detection.set({ ...NOTHING, typed, country, ...faultOf(error) })
    return null
  }
}

/** What the shop refuses is wrong; whatever else fails says nothing of the number. */
function faultOf(error: unknown): Pick<Detection, 'state' | 'message'> {
  if (!(error instanceof CallFailed)) return { state: 'unasked', message: '' }
  const fields = (error.data as { readonly fields?: readonly { readonly msg: string }[] } | null)
    ?.fields
  const message = fields?.[0]?.msg
  return message === undefined ? { state: 'unasked', message: '' } : { state: 'bad', message }
}
