import { sealBought, type SealedKey } from '#features/buying/vault/commands.ts'
import type { Vault } from '#features/buying/vault/engine/vault.ts'
import type { Ctx } from '#platform/ctx.ts'
import type {
  CardsOutcome,
  LookupOutcome,
  SupplyCard,
  SupplyDone,
  SupplyProvider,
} from '#providers/supply/provider.ts'
import type { Purchase } from '../queries.ts'
import { isCardKind } from '../rules.ts'

/** What was heard, with the cards that came, encrypted: all of that is done before anything is locked for it. */
export interface Taken {
  readonly said: LookupOutcome
  readonly keys: readonly SealedKey[] | null
}

/**
 * Takes in the cards of a purchase that is done: those of the answer, or asked for where it has none. As long as they do not come, or there
 * is no vault to keep them, the purchase is on its way; cards that cannot be kept are a person's matter once asking is over.
 */
export async function takeCards(
  ctx: Ctx,
  provider: SupplyProvider,
  purchase: Purchase,
  answer: LookupOutcome,
  vault: Vault | null,
): Promise<Taken> {
  if (answer.kind !== 'done' || !isCardKind(purchase.told.kind) || isOver(purchase))
    return { said: answer, keys: null }
  if (vault === null) return onItsWay(answer)
  const got = answer.cards
    ? ({ kind: 'cards', cards: answer.cards } as const)
    : await askForCards(ctx, provider, purchase, answer)
  if (got.kind === 'unknown') return onItsWay(answer)
  const expected = purchase.told.quantity - (answer.missing ?? 0)
  if (got.cards.length === 0 || got.cards.length !== expected)
    return cannotBeKept(answer, `${got.cards.length} cards of ${expected}`)
  return seal(ctx, purchase, answer, got.cards, vault)
}

const isOver = ({ status }: Purchase) =>
  status === 'done' || status === 'late' || status === 'reversed'

const onItsWay = ({ supplierId }: SupplyDone): Taken => ({
  said: { kind: 'accepted', supplierId },
  keys: null,
})

const cannotBeKept = ({ supplierId }: SupplyDone, why: string): Taken => ({
  said: { kind: 'unknown', supplierId, why: `bought, and its cards cannot be kept: ${why}` },
  keys: null,
})

async function askForCards(
  ctx: Ctx,
  provider: SupplyProvider,
  { id, supplier, told }: Purchase,
  { supplierId }: SupplyDone,
): Promise<CardsOutcome> {
  try {
    return await provider.cards({ purchase: told, supplierId })
  } catch (error) {
    ctx.log.error('a supplier could not be asked for cards', { supplier, purchase: id, error })
    return { kind: 'unknown', why: 'the call failed within the shop' }
  }
}

async function seal(
  ctx: Ctx,
  { id, item, supplier }: Purchase,
  answer: SupplyDone,
  cards: readonly SupplyCard[],
  vault: Vault,
): Promise<Taken> {
  const shown = cards.map(({ code, pin, serial, url, image, expiresOn }) => ({
    code: code?.reveal() ?? null,
    pin: pin?.reveal() ?? null,
    serial,
    url: url?.reveal() ?? null,
    image: image?.bytes ?? null,
    expiresOn,
  }))
  try {
    const sealed = await sealBought(ctx, vault, { batchId: id, item, cards: shown })
    return 'fault' in sealed
      ? cannotBeKept(answer, sealed.fault)
      : { said: answer, keys: sealed.keys }
  } catch (error) {
    // The vault is away: its supplier still has them.
    ctx.log.error('cards that were bought could not be encrypted', {
      supplier,
      purchase: id,
      error,
    })
    return onItsWay(answer)
  }
}
