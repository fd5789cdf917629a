import { sql } from 'kysely'
import type { Ctx } from '#platform/ctx.ts'
import { createChance } from '../chance.ts'
import { cardFaults, findFaults, keptMoney } from './accounts.ts'
import { startCrew } from './crew.ts'
import { decideAll } from './people.ts'
import { withSupplyStage } from './scene.ts'
import { SIMULATED } from './suppliers.ts'
import { liveOn } from './time.ts'
import { COST, createWorld, type World } from './world.ts'

export interface Simulated {
  readonly units: number
  /** Workers killed between the sending of a purchase and the storing of what came of it. */
  readonly kills: number
  readonly seed: number
  /** Cards that are bought once they are paid, and not accounts that are credited. */
  readonly isOfCards?: boolean
}

export interface SimulatedReport {
  readonly units: Readonly<Record<string, number>>
  readonly purchases: Readonly<Record<string, number>>
  readonly calls: number
  readonly kills: number
  /** Units that two workers reached for. */
  readonly races: number
  /** Days that went by in virtual time. */
  readonly days: number
  readonly decidedByPeople: number
  readonly lies: number
  readonly faults: readonly string[]
}

const UNITS_AN_ORDER = 20
const DAY_MS = 86_400_000
const DECIDED_TIMES = 20
/** Calls a leg makes for certain; kills are spread over those. */
const CALLS_OF_A_UNIT = 0.8

/** Lying suppliers over a simulated transport, with hours and days in virtual time, and workers that die. */
export function runSimulated({
  units,
  kills,
  seed,
  isOfCards = false,
}: Simulated): Promise<SimulatedReport> {
  const product = { id: 'sku-1', field: isOfCards ? null : 'userid', cost: BigInt(COST) }
  return withSupplyStage(SIMULATED, product, async (stage) => {
    const chance = createChance(seed)
    const now = () => Date.now() + stage.clock.aheadMs
    const world = createWorld(chance, now, { isOfCards })
    await stage.pay(units, (order) => ({ account: `player${order}`, units: UNITS_AN_ORDER }))
    const crew = await startCrew({
      settings: {
        databaseUrl: stage.databaseUrl,
        suppliers: SIMULATED,
        isOfCards,
        socket: null,
      },
      chance,
      kills,
      calls: Math.floor(units * CALLS_OF_A_UNIT),
      answering: world,
    })
    try {
      const began = now()
      let decidedByPeople = 0
      for (let time = 0; time < DECIDED_TIMES; time += 1) {
        await liveOn(stage, crew, world)
        const decided = await decideAll(stage.ctx, (reference) => soldAs(world, reference))
        decidedByPeople += decided
        if (decided === 0) break
      }
      return {
        ...(await counts(stage.ctx)),
        ...crew.figures(),
        days: Math.round((now() - began) / DAY_MS),
        decidedByPeople,
        lies: [...world.acts].reduce((sum, [act, count]) => sum + (act === 'done' ? 0 : count), 0),
        faults: [
          ...crew.faults,
          ...world.faults,
          ...sentTwice(world),
          ...(isOfCards ? await cardFaults(stage.ctx) : await keptMoney(stage.ctx)),
          ...(await faultsOf(stage.ctx, world, units)),
        ],
      }
    } finally {
      await crew.stop()
    }
  })
}

const soldAs = (world: World, reference: string) =>
  world.sales().find((sale) => sale.reference === reference && sale.state === 'done') ?? null

/** Where a reference buys once, or asking is buying, a purchase is sent once all the same. */
const sentTwice = (world: World): string[] =>
  [...world.sent]
    .filter(([, times]) => times > 1)
    .map(([reference, times]) => `a purchase was sent ${times} times: ${reference}`)

const faultsOf = (ctx: Ctx, world: World, units: number) =>
  findFaults(ctx, {
    units,
    sold: world.sales().map((sale) => ({ ...sale, isKept: sale.state === 'done' })),
  })

async function counts(ctx: Ctx): Promise<Pick<SimulatedReport, 'units' | 'purchases'>> {
  const { rows } = await sql<{ of: 'units' | 'purchases'; status: string; count: number }>`
    select 'units' as of, status, count(*)::integer as count from order_unit group by status
    union all select 'purchases', status, count(*)::integer from purchase group by status order by 1, 2`.execute(
    ctx.db,
  )
  const of = (what: 'units' | 'purchases') =>
    Object.fromEntries(
      rows.flatMap((row) => (row.of === what ? [[row.status, row.count] as const] : [])),
    )
  return { units: of('units'), purchases: of('purchases') }
}
