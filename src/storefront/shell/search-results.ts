import { useEffect, useState } from 'react'
import type { ApiCalls } from '#api/contract.ts'
import { client } from '../state/client.ts'

type GoodsCard = ApiCalls['goods/index']['data']['list'][number]

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
}

export interface LiveResults {
  readonly isLoading: boolean
  readonly total: number
  readonly groups: readonly {
    readonly type: number
    readonly title: string
    readonly hits: readonly LiveHit[]
  }[]
}

const DEBOUNCE_MS = 600
const HITS_PER_GROUP = 4
const HOT_COUNT = 10
const NOTHING: LiveResults = { isLoading: false, total: 0, groups: [] }

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

/** First which kinds there are (`goods/search`), then the best of each kind. */
async function findResults(keywords: string, signal: AbortSignal): Promise<LiveResults> {
  const api = client.get()
  if (!api) return NOTHING
  const options = { showCheckMsg: false, signal }
  const kinds = (await api.get('goods/search', { keywords }, options)).filter(
    (kind) => kind.count > 0,
  )
  const groups = await Promise.all(
    kinds.map(async (kind) => {
      const query = { keywords, page: 1, limit: HITS_PER_GROUP }
      const hits =
        kind.type === 0
          ? (await api.get('game/index', query, options)).list.map((game) => ({
              path: `/game/${game.code}`,
              name: game.name,
              image: { src: game.image, width: 48, height: 64 },
              note: undefined,
              price: undefined,
            }))
          : (await api.get('goods/index', { ...query, type: kind.type }, options)).list.map(
              goodsHit,
            )
      return { type: kind.type, title: kind.title, hits }
    }),
  )
  return { isLoading: false, total: kinds.reduce((sum, kind) => sum + kind.count, 0), groups }
}

function goodsHit(card: GoodsCard): LiveHit {
  return {
    path: `/product/${card.code}`,
    name: card.goods_name,
    image: { src: card.image, width: 48, height: 48, ratio: 'square' },
    note: card.region.name,
    price: card.price?.text,
  }
}
