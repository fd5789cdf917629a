import { useEffect, useRef, useState } from 'react'
import type { ApiCalls } from '#api/contract.ts'
import { client } from '../state/client.ts'
import type { CartLine } from '../state/cart.ts'

type GoodsDetail = ApiCalls['goods/detail']['data']

/** A line of the cart with what the shop says of it now. */
export interface PricedLine {
  readonly line: CartLine
  /** `gone`: the shop no longer sells it; `loading` until it has answered; `failed` when it did not. */
  readonly state: 'ready' | 'sold_out' | 'gone' | 'loading' | 'failed'
  readonly product: GoodsDetail | null
  readonly item: GoodsDetail['items'][number] | null
}

/** Null: the shop has no such product any more. */
type Answers = ReadonlyMap<string, GoodsDetail | null | 'failed'>

/** Asks the shop about every product of the cart, once for each. */
export function usePricedLines(lines: readonly CartLine[]): {
  readonly lines: readonly PricedLine[]
  readonly retry: () => void
} {
  const [answers, setAnswers] = useState<Answers>(new Map())
  const [attempt, setAttempt] = useState(0)
  const asked = useRef(new Set<string>())
  const leaving = useRef<AbortController>(null)
  const wanted = [...new Set(lines.map(goodsKey))].join('\n')

  useEffect(() => {
    const controller = new AbortController()
    const { current: codes } = asked
    leaving.current = controller
    return () => {
      controller.abort()
      codes.clear()
    }
  }, [])

  useEffect(() => {
    const signal = leaving.current?.signal
    if (!signal) return
    for (const code of wanted.split('\n')) {
      if (code === '' || asked.current.has(code)) continue
      asked.current.add(code)
      askFor(code, signal).then(
        (answer) => {
          if (signal.aborted) return
          if (answer === 'failed') asked.current.delete(code)
          setAnswers((known) => new Map(known).set(code, answer))
        },
        () => {},
      )
    }
  }, [wanted, attempt])

  return {
    lines: lines.map((line) => priceLine(line, answers.get(goodsKey(line)))),
    retry: () => {
      setAnswers((known) => new Map([...known].filter(([, answer]) => answer !== 'failed')))
      setAttempt((count) => count + 1)
    },
  }
}

/** What is asked about once: a product, of goods that are sold at any amount each of them. */
const goodsKey = ({ product, amount }: CartLine) =>
  amount === undefined ? product : `${product} ${amount}`

async function askFor(wanted: string, signal: AbortSignal): Promise<GoodsDetail | null | 'failed'> {
  const calls = client.get()
  if (!calls) return 'failed'
  try {
    const [code = '', amount] = wanted.split(' ')
    const options = { showCheckMsg: false, signal }
    const detail = await calls.get('goods/detail', { code }, options)
    if (amount === undefined) return detail
    const plans = await calls.get(
      'recharge/plans',
      { operator: code, amount: Number(amount) },
      options,
    )
    return { ...detail, items: detail.items.map((item) => atAmount(item, plans.list)) }
  } catch (error) {
    signal.throwIfAborted()
    return isNotFound(error) ? null : 'failed'
  }
}

/** An item that is sold at any amount, as what was asked for of it. */
function atAmount(
  item: GoodsDetail['items'][number],
  plans: ApiCalls['recharge/plans']['data']['list'],
): GoodsDetail['items'][number] {
  const plan = plans.find((each) => each.item === item.code)
  return plan?.amount
    ? { ...item, label: plan.label, price: plan.price, market_price: null, discount: 0 }
    : item
}

const NOT_FOUND = 404

/** The client throws a plain error with the HTTP status, or a refusal with the envelope's code. */
function isNotFound(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return ('code' in error && error.code === NOT_FOUND) || error.message === `HTTP ${NOT_FOUND}`
}

/** What an answer means for a line; pure. */
export function priceLine(
  line: CartLine,
  answer: GoodsDetail | null | 'failed' | undefined,
): PricedLine {
  if (answer === undefined || answer === 'failed')
    return { line, state: answer === undefined ? 'loading' : 'failed', product: null, item: null }
  const item = answer?.items.find(({ code }) => code === line.item) ?? null
  if (!answer || !item) return { line, state: 'gone', product: answer, item: null }
  return { line, state: item.in_stock && item.price ? 'ready' : 'sold_out', product: answer, item }
}

/** Minor units of all lines that can be bought, in the currency they were asked for in. */
export function subtotalMinor(lines: readonly PricedLine[]): bigint {
  return lines.reduce(
    (sum, { state, item, line }) =>
      state === 'ready' && item?.price
        ? sum + BigInt(item.price.minor) * BigInt(line.quantity)
        : sum,
    0n,
  )
}
