import type { Ctx } from '#platform/ctx.ts'
import { sweep } from '#platform/sweep.ts'
import { bookTax } from './commands.ts'
import { listDueTaxes } from './queries.ts'

const DUE_AT_ONCE = 200

/** Writes down what was sold and given back since the last look, in the order in which it happened. */
export async function bookTaxes(ctx: Ctx, timeZone: string, signal?: AbortSignal): Promise<number> {
  return sweep<string>(ctx, {
    what: 'the tax of a sale or refund',
    name: (id) => id,
    signal,
    next: (last) => listDueTaxes(ctx.db, last, DUE_AT_ONCE),
    work: (id) => bookTax(ctx, id, timeZone),
  })
}
