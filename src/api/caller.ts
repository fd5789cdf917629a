import type { ShopSnapshot } from '#features/goods/browse/snapshot.ts'
import { US_DOLLAR, type Currency } from '#features/goods/currency/rules.ts'
import { DEFAULT_LANGUAGE, findLanguage, type LanguageCode } from '#kernel/language.ts'
import type { FieldFault } from './envelope.ts'
import { translatorOf } from '#platform/i18n/messages.ts'

/** A query string as it was sent, or what is wrong with its encoding. */
export type ReadQuery =
  | { readonly params: URLSearchParams }
  | { readonly broken: readonly string[] }

const PLAIN = /^[\x21-\x7e]*$/

/**
 * Reads a raw query string. `URLSearchParams` takes anything; here broken percent-encoding and bytes that are no UTF-8 are
 * named instead, so that a client hears of its mistake.
 */
export function readQuery(raw: string): ReadQuery {
  const text = PLAIN.test(raw) ? raw : utf8Of(raw)
  if (text !== null && (!text.includes('%') || isDecodable(text)))
    return { params: new URLSearchParams(text) }
  const broken = raw.split('&').filter((pair) => {
    const decoded = PLAIN.test(pair) ? pair : utf8Of(pair)
    return decoded === null || !isDecodable(decoded)
  })
  return { broken: broken.map(parameterName) }
}

/** Faults of a broken query, in the language it asks for as far as that can be read. */
export function encodingFaults(names: readonly string[], language: LanguageCode): FieldFault[] {
  const msg = translatorOf(language)('api.badEncoding')
  return [...new Set(names)].map((field) => ({ field, msg }))
}

export function languageOf(params: URLSearchParams): LanguageCode {
  return findLanguage(params.get('lang')?.toLowerCase() ?? '')?.code ?? DEFAULT_LANGUAGE
}

/** The currency named when the shop sells in it, else US dollars. */
export function currencyOf(
  params: URLSearchParams,
  shop: Pick<ShopSnapshot, 'currencyByCode'>,
): Currency {
  const wanted = shop.currencyByCode.get(params.get('currency_code')?.toUpperCase() ?? '')
  return wanted?.isCheckout && wanted.perUsd
    ? wanted
    : (shop.currencyByCode.get('USD') ?? US_DOLLAR)
}

/** Node hands over bytes above 0x7F one by one, as Latin-1. */
function utf8Of(latin1: string): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(latin1, 'latin1'))
  } catch {
    return null
  }
}

/** Whether percent-encoding and UTF-8 are whole. The result is used, or the bundler would drop the call as one without effect. */
export function isDecodable(text: string): boolean {
  try {
    return decodeURIComponent(text).length >= 0
  } catch {
    return false
  }
}

const NAME_MAX = 100

/** Name of a `name=value` pair for people; never its value, which may be a secret. */
function parameterName(pair: string): string {
  const name =
    new URLSearchParams(pair.slice(0, 2_000).split('=', 1)[0] ?? '').keys().next().value ?? ''
  return name.slice(0, NAME_MAX)
}
