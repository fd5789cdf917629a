import { LANGUAGES } from '#kernel/language.ts'
import { ROUTES, type Route } from '../routes.ts'

export const SPECULATION_PATH = '/speculation-rules.json'

/** Headers of public pages: where the rules are, and what a browser shall say of its net when it asks for them. */
export const SPECULATION_HEADERS = {
  'speculation-rules': `"${SPECULATION_PATH}"`,
  'accept-ch': 'ECT',
}

/** Pages that lead away, change what the browser keeps, or are made anew for each question. */
const LEFT_OUT: ReadonlySet<string> = new Set(['redirect', 'language-currency', 'search'])
const LANGUAGE = `/:language(${LANGUAGES.map(({ prefix }) => prefix.slice(1))
  .filter((code) => code !== '')
  .join('|')})`

/**
 * Which pages a browser may make ready before they are asked for: public ones alone, as nothing is asked or counted there for who
 * does not come. It fetches one that a pointer rests on, and draws one that is being pressed.
 */
export const SPECULATION_RULES = JSON.stringify({
  prefetch: [rule('moderate')],
  prerender: [rule('conservative')],
})

/** For who saves data or has little. */
export const NO_SPECULATION = '{}'

/** Whether a request's browser saves data or is on a slow net (`Save-Data`, `ECT`). */
export function isSparing(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): boolean {
  return headers['save-data'] === 'on' || /^(?:slow-)?2g$/.test(String(headers['ect'] ?? ''))
}

/** Whether a page is asked for before anybody has come to it. */
export function isAhead(headers: Readonly<Record<string, string | string[] | undefined>>): boolean {
  return /\b(?:prefetch|prerender)\b/.test(String(headers['sec-purpose'] ?? ''))
}

function rule(eagerness: 'moderate' | 'conservative') {
  const paths = (ROUTES as readonly Route[])
    .filter(({ access, page }) => access === undefined && !LEFT_OUT.has(page))
    .flatMap(({ path }) => [path, path === '/' ? LANGUAGE : `${LANGUAGE}${path}`])
  return { where: { href_matches: paths }, eagerness }
}
