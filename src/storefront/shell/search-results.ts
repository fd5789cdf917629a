import { useEffect, useState } from 'react'
import type { ApiCalls } from '#api/contract.ts'
import { client } from '../state/client.ts'

type GoodsCard = ApiCalls['goods/index']['data']['list'][number]

type FoundEntry = ApiCalls['search/index']['data']['kinds'][number]['list'][number]

export interface LiveHit {
  readonly path: string
  readonly name: string
  /** The wire contract's pictures are covers of games and squares of goods. */
  readonly image: {
    readonly src: string
    readonly width: number
    readonly height: number
    readonly ratio?: 'square'
  }
  readonly note: string | undefined
  readonly price: string | undefined
  /** Mean of its stars; null where nobody has rated it. */
  readonly rating: number | null
  readonly regions: readonly { readonly name: string; readonly path: string }[]
}

export interface LiveResults {
  readonly isLoading: boolean
  readonly total: number
  readonly groups: readonly {
    readonly type: number
    readonly title: string
    readonly count: number
    readonly hits: readonly LiveHit[]
  }[]
  /** Titles of the kinds that hold nothing. */
  readonly empty: readonly string[]
}

const DEBOUNCE_MS = 600
const HITS_PER_GROUP = 3
const HOT_COUNT = 10
const NOTHING: LiveResults = { isLoading: false, total: 0, groups: [], empty: [] }

/** The ten most popular goods, asked for when the panel first opens. A failure leaves the list empty. */
export function useHotGoods(): {
  readonly isLoading: boolean
  readonly goods: readonly GoodsCard[]
} {
  const [state, setState] = useState<{ isLoading: boolean; goods: readonly GoodsCard[] }>({
    isLoading: true,
    goods: [],
  })
  useEffect(() => {
    const controller = new AbortController()
    client
      .get()
      ?.get(
        'goods/index',
        { is_hot: 1, page: 1, limit: HOT_COUNT },
        { showCheckMsg: false, signal: controller.signal },
      )
      .then(
        (page) => setState({ isLoading: false, goods: page.list }),
        () => setState({ isLoading: false, goods: [] }),
      )
    return () => controller.abort()
  }, [])
  return state
}

/** Results for a keyword, asked for 600 ms after it last changed. A failure leaves them empty and stops the loading. */
export function useLiveResults(keyword: string): LiveResults {
  const [results, setResults] = useState<LiveResults>({ ...NOTHING, isLoading: true })
  useEffect(() => {
    const controller = new AbortController()
    setResults((last) => ({ ...last, isLoading: true }))
    const timer = setTimeout(() => {
      findResults(keyword, controller.signal).then(setResults, () => {
        if (!controller.signal.aborted) setResults(NOTHING)
      })
    }, DEBOUNCE_MS)
    return () => {
      clearTimeout(timer)
      controller.abort()
    }
  }, [keyword])
  return results
}

async function findResults(keywords: string, signal: AbortSignal): Promise<LiveResults> {
  const api = client.get()
  if (!api) return NOTHING
  const { total, kinds } = await api.get(
    'search/index',
    { keywords, limit: HITS_PER_GROUP },
    { showCheckMsg: false, signal },
  )
  return {
    isLoading: false,
    total,
    groups: kinds
      .filter(({ count }) => count > 0)
      .map(({ type, title, count, list }) => ({
        type,
        title,
        count,
        hits: list.map((entry) => liveHit(entry, type === 0)),
      })),
    empty: kinds.filter(({ count }) => count === 0).map(({ title }) => title),
  }
}

function liveHit(
  { path, name, image, note, price, rating, regions }: FoundEntry,
  isGame: boolean,
): LiveHit {
  return {
    path,
    name,
    image: isGame
      ? { src: image, width: 48, height: 64 }
      : { src: image, width: 48, height: 48, ratio: 'square' },
    note: note === '' ? undefined : note,
    price: price?.text,
    rating: rating?.average ?? null,
    regions,
  }
}
