import { randomUUID } from 'node:crypto'
import { PERSONAL_CALLS } from '#api/personal/calls.ts'
import { present } from '#kernel/assert.ts'
import { createChance } from './chance.ts'
import { CONFLICTS, type Conflict } from './conflicts.ts'
import { addShoppers } from './shopper.ts'
import type { Stage } from './stage.ts'
import { brokenPromises, unbalanced } from './verdict.ts'

export interface Endpoints extends Stage {
  readonly rounds: number
}

export interface EndpointReport {
  readonly endpoints: number
  readonly requests: number
  readonly faults: readonly string[]
}

const AT_ONCE = 32

/**
 * Hits every call that writes with 32 requests at the same moment, half of them the same and half in conflict with it. None may
 * fail on the shop's side, and what each of them is good for may happen once.
 */
export async function runEndpoints({
  shop,
  seed,
  rounds,
  items,
}: Endpoints): Promise<EndpointReport> {
  const chance = createChance(seed)
  const calls = PERSONAL_CALLS.filter(({ method }) => method === 'POST')
  const faults: string[] = []
  let requests = 0
  for (let round = 0; round < rounds; round += 1) {
    for (const { path, example } of calls) {
      const conflict: Conflict = CONFLICTS[path] ?? { bodies: () => [example] }
      const stage = {
        shop,
        shopper: present((await addShoppers(shop, 1, 'round'))[0], 'a shopper'),
        items,
      }
      const ground = (await conflict.prepare?.(stage)) ?? {}
      const bodies = conflict.bodies({ ...stage, ground })
      const answers = await Promise.all(
        Array.from({ length: AT_ONCE }, (_, number) => {
          const body = number % 2 === 0 ? bodies[0] : chance.pick(bodies)
          return stage.shopper.post(
            path,
            body,
            conflict.isKeyed ? 'the same key' : chance.happens(0.5) ? randomUUID() : undefined,
          )
        }),
      )
      requests += answers.length
      faults.push(
        ...answers
          .filter(({ status }) => status >= 500)
          .map(({ status, msg }) => `${path} answers ${status}: ${msg}`),
      )
      faults.push(
        ...((await conflict.findAnomalies?.({ ...stage, ground, answers })) ?? []).map(
          (anomaly) => `${path}: ${anomaly}`,
        ),
      )
    }
    faults.push(
      ...(await shop.withCtx(async (ctx) => [
        ...(await brokenPromises(ctx)),
        ...(await unbalanced(ctx)),
      ])),
    )
  }
  return { endpoints: calls.length, requests, faults }
}
