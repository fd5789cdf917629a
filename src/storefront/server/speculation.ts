import { LANGUAGES } from '#kernel/language.ts'
import { bodyIn, encodeBody, type EncodedBody } from '#platform/http/encoding.ts'
import { ROUTES, type Route } from '../routes.ts'
import { encodingHeader, type PageAnswer, type PageRequest } from './page-answer.ts'

export const SPECULATION_PATH = '/speculation-rules.json'

/** Headers of public pages: where the rules are, and what a browser shall say of its net when it asks for them. */
export const SPECULATION_HEADERS = {
  'speculation-rules': `"${SPECULATION_PATH}"`,
  'accept-ch': 'ECT',
}

/** Pages that lead away, change what the browser keeps, or are made anew for each question. */
const LEFT_OUT: ReadonlySet<string> = new Set(['redirect', 'language-currency', 'search'])
const LANGUAGE = `{/:language(${LANGUAGES.map(({ prefix }) => prefix.slice(1))
  .filter((code) => code !== '')
  .join('|')})}?`

/**
 * Which pages a browser may make ready before they are asked for: public ones alone, as nothing is asked or counted there for who
 * does not come. It fetches one that a pointer rests on, and draws one that is being pressed.
 */
export const SPECULATION_RULES = JSON.stringify({
  prefetch: [rule('moderate')],
  prerender: [rule('conservative')],
})

/** For who saves data or has little. */
const NO_SPECULATION = '{}'

type Headers = Readonly<Record<string, string | string[] | undefined>>

let encoded: Promise<EncodedBody> | undefined

/** Fetched beside the first styles and scripts: it takes as little of the line as it can. */
export async function answerSpeculation(
  headers: Headers,
  { encoding }: Pick<PageRequest, 'encoding'>,
): Promise<PageAnswer> {
  const isSpared = isSparing(headers)
  return {
    status: 200,
    headers: {
      'content-type': 'application/speculationrules+json',
      'cache-control': 'private, max-age=600',
      vary: 'Save-Data, ECT, Accept-Encoding',
      'x-content-type-options': 'nosniff',
      ...(isSpared ? {} : encodingHeader(encoding)),
    },
    body: isSpared
      ? NO_SPECULATION
      : bodyIn(await (encoded ??= encodeBody(SPECULATION_RULES)), encoding),
  }
}

/** Whether a request's browser saves data or is on a slow net (`Save-Data`, `ECT`). */
export function isSparing(headers: Headers): boolean {
  return headers['save-data'] === 'on' || /^(?:slow-)?2g$/.test(String(headers['ect'] ?? ''))
}

/** Whether a page is asked for before anybody has come to it. */
export function isAhead(headers: Headers): boolean {
  return /\b(?:prefetch|prerender)\b/.test(String(headers['sec-purpose'] ?? ''))
}

function rule(eagerness: 'moderate' | 'conservative') {
  const paths = (ROUTES as readonly Route[])
    .filter(({ access, page }) => access === undefined && !LEFT_OUT.has(page))
    .flatMap(({ path }) => (path === '/' ? [path, LANGUAGE] : [`${LANGUAGE}${path}`]))
  return { where: { href_matches: paths }, eagerness }
}
