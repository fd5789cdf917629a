import type { GoodsType } from '#features/goods/catalogue/rules.ts'
import type { Currency } from '#features/goods/currency/rules.ts'
import { parseMajor } from '#kernel/money.ts'
import {
  GOODS_SORTS,
  LIST_LIMIT_DEFAULT,
  LIST_LIMIT_MAX,
  type GameQuery,
  type GoodsQuery,
  type GoodsSort,
} from './rules.ts'

const KEYWORDS_MAX = 200
const CODES_MAX = 20
const CODE = /^[a-z0-9]+(?:-[a-z0-9]+)*$/
const PAGE_MAX = 1_000_000

/**
 * Reads the list parameters of an address. In reading nothing is refused: what cannot be understood means the default,
 * `limit` is clamped to 1–9999, and of a repeated parameter the first counts, but for the filters, where each adds one.
 */
export function readGoodsQuery(
  params: URLSearchParams,
  currency: Pick<Currency, 'minorUnits'>,
  limitDefault = LIST_LIMIT_DEFAULT,
): GoodsQuery {
  return {
    type: readType(params.get('type')),
    isHot: params.get('is_hot') === '1',
    isHome: params.get('is_home') === '1',
    ...readGameQuery(params, currency, limitDefault),
  }
}

/** The same for games: a list of them takes whatever a list of goods does. */
export function readGameQuery(
  params: URLSearchParams,
  currency: Pick<Currency, 'minorUnits'>,
  limitDefault = LIST_LIMIT_DEFAULT,
): GameQuery {
  return {
    inStock: params.get('in_stock') === '1',
    regions: readCodes(params, 'region'),
    platforms: readCodes(params, 'platform'),
    categories: readCodes(params, 'category'),
    priceMin: readAmount(params.get('price_min'), currency),
    priceMax: readAmount(params.get('price_max'), currency),
    keywords: readKeywords(params.get('keywords')),
    sort: readSort(params.get('sort')),
    ...readPaging(params, limitDefault),
  }
}

export function readPaging(
  params: URLSearchParams,
  limitDefault = LIST_LIMIT_DEFAULT,
): { page: number; limit: number } {
  return {
    page: clamp(readInteger(params.get('page')) ?? 1, 1, PAGE_MAX),
    limit: clamp(readInteger(params.get('limit')) ?? limitDefault, 1, LIST_LIMIT_MAX),
  }
}

/** Trimmed, runs of blanks made one, without control characters, at most 200 characters. */
export function readKeywords(text: string | null): string {
  return (text ?? '')
    .toWellFormed()
    .replace(/[\p{Cc}\s\uFFFD]+/gu, ' ')
    .trim()
    .slice(0, KEYWORDS_MAX)
}

/** The sort of an address; null for none or an unknown one. */
export function readSort(text: string | null): GoodsSort | null {
  return GOODS_SORTS.find((sort) => sort === text) ?? null
}

function readType(text: string | null): GoodsType | null {
  return text === '1' || text === '2' || text === '3' || text === '4'
    ? (Number(text) as GoodsType)
    : null
}

/** Codes of a repeatable parameter; each value may hold several, separated by commas. */
function readCodes(params: URLSearchParams, name: string): string[] {
  const codes = params
    .getAll(name)
    .flatMap((value) => value.split(','))
    .filter((code) => code.length <= 100 && CODE.test(code))
  return [...new Set(codes)].slice(0, CODES_MAX).sort()
}

function readAmount(text: string | null, currency: Pick<Currency, 'minorUnits'>): bigint | null {
  return text === null ? null : parseMajor(text, currency.minorUnits)
}

/** A whole number of any size and sign, cut to the safe range; null for anything else. */
function readInteger(text: string | null): number | null {
  if (text === null || !/^[+-]?\d{1,400}$/.test(text.trim())) return null
  return clamp(Number(text), -Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER)
}

function clamp(value: number, min: number, max: number): number {
  return Math.min(Math.max(value, min), max)
}
