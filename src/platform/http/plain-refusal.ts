import { DEFAULT_LANGUAGE, findLanguage } from '#kernel/language.ts'
import { translatorOf } from '../i18n/messages.ts'

const SENTENCES = {
  'error.forbidden': 403,
  'error.too_large': 413,
  'error.invalid_form': 422,
  'error.too_many_requests': 429,
} as const

export interface PlainRefusal {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** A sentence in the language of the address, without a page's dress: it must cost next to nothing. */
export function plainRefusal(
  target: string,
  sentence: keyof typeof SENTENCES,
  seconds?: number,
): PlainRefusal {
  const language = findLanguage(/^\/([a-z-]{2,5})(?:[/?]|$)/.exec(target)?.[1] ?? '')
  const body = translatorOf(language?.code ?? DEFAULT_LANGUAGE)(
    sentence,
    seconds === undefined ? {} : { seconds },
  )
  const headers = {
    'content-type': 'text/plain; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    ...(seconds === undefined ? {} : { 'retry-after': String(seconds) }),
  }
  return { status: SENTENCES[sentence], headers, body }
}
