import { setTimeout as sleep } from 'node:timers/promises'
import { createChance } from '../chance.ts'
import { openSupplyClient } from '#providers/supply/wire/client.ts'
import { SCENARIOS } from '../../../src/sandbox/supply/scenarios.ts'
import {
  SANDBOX_SECRET,
  startSupplySandbox,
  type RunningSupplySandbox,
} from '../../support/supply-sandbox.ts'
import { findFaults, type Sold } from './accounts.ts'
import { startCrew } from './crew.ts'
import { decideAll } from './people.ts'
import { withSupplyStage } from './scene.ts'
import { OVER_SOCKETS, supplierOf } from './suppliers.ts'
import { liveOn, type Outside } from './time.ts'

export interface Sockets {
  readonly units: number
  readonly kills: number
  readonly seed: number
}

export interface SocketsReport {
  readonly calls: number
  readonly kills: number
  readonly races: number
  readonly soldThere: number
  readonly decidedByPeople: number
  readonly faults: readonly string[]
}

const PRODUCT = 'game:17live:jp:100'
const FIELD = 'live_id'
/** Longer than what the sandbox does later. */
const LATER_MS = 6_000
/** An empty balance is an operator's to mend, and would keep everything else waiting. */
const PLAYED = SCENARIOS.filter(({ name }) => name !== 'balance')
const DECIDED_TIMES = 5

/** The sandbox's suppliers over real sockets: every one of its scenarios, as often as the others, and workers that die. */
export async function runSockets({ units, kills, seed }: Sockets): Promise<SocketsReport> {
  const sandbox = await startSupplySandbox()
  try {
    const origin = sandbox.originOf('hook')
    const client = openSupplyClient({ timeoutMs: 5_000 })
    const quoted = await supplierOf('hook', client, { origin, key: SANDBOX_SECRET }).quote({
      kind: 'topup',
      product: PRODUCT,
      quantity: 1,
      face: null,
      fields: { [FIELD]: 'sunny' },
    })
    if (quoted.kind !== 'quote') throw new Error('the sandbox names no price')
    const product = { id: PRODUCT, field: FIELD, cost: quoted.cost.minor }
    return await withSupplyStage(OVER_SOCKETS, product, async (stage) => {
      await stage.pay(units, (order) => ({
        account: `sunny${PLAYED[order % PLAYED.length]?.number}`,
        units: 1,
      }))
      const crew = await startCrew({
        settings: {
          databaseUrl: stage.databaseUrl,
          suppliers: OVER_SOCKETS,
          isOfCards: false,
          socket: { origin, secret: SANDBOX_SECRET },
        },
        chance: createChance(seed),
        kills,
        calls: Math.floor(units * 0.6),
        answering: null,
      })
      try {
        const outside = newsOf(sandbox)
        let decidedByPeople = 0
        for (let time = 0; time < DECIDED_TIMES; time += 1) {
          await liveOn(stage, crew, outside)
          const kept = new Set((await soldOf(sandbox)).filter(isKept).map(referenceOf))
          const decided = await decideAll(stage.ctx, (reference) =>
            kept.has(reference) ? { card: null } : null,
          )
          decidedByPeople += decided
          if (decided === 0) break
        }
        const sold = await soldOf(sandbox)
        return {
          ...crew.figures(),
          soldThere: sold.filter(isKept).length,
          decidedByPeople,
          faults: [...crew.faults, ...(await findFaults(stage.ctx, { units, sold }))],
        }
      } finally {
        await crew.stop()
      }
    })
  } finally {
    await sandbox.stop()
  }
}

const isKept = (sale: Sold) => sale.isKept
const referenceOf = ({ reference }: Sold) => reference

/** Every notice is handed on once; what the sandbox does later is waited for in real time, once. */
function newsOf(sandbox: RunningSupplySandbox): Outside {
  let known = 0
  let isWaitedFor = false
  return {
    turned: () => {},
    nextAt: () => null,
    async settle() {
      if (!isWaitedFor) await sleep(LATER_MS)
      isWaitedFor = true
      const { notices } = await sandbox.books()
      const news = notices.slice(known)
      known = notices.length
      return news.map(({ body }) => ({
        supplier: 'hook',
        reference: (JSON.parse(body) as { readonly reference: string }).reference,
      }))
    },
  }
}

async function soldOf(sandbox: RunningSupplySandbox): Promise<Sold[]> {
  const { purchases } = await sandbox.books()
  return purchases.map(({ supplier, reference, cost, state }) => ({
    supplier,
    reference,
    cost: Number(cost),
    isKept: state === 'done',
  }))
}
