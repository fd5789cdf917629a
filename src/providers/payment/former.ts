import { ProviderRefusal, type PaymentProvider } from './provider.ts'

/**
 * A provider whose settings were replaced by those of another account: new payments are made there, and those begun before are asked about,
 * ended, given back and told of where they were begun. A payment's name is its provider's alone, so that one account at most knows it.
 * What is listed is the new account's.
 */
export function withFormer(
  provider: PaymentProvider,
  former: readonly PaymentProvider[],
): PaymentProvider {
  if (former.length === 0) return provider
  const all = [provider, ...former]
  const fetch = (reference: string) => firstToKnow(all, (one) => one.fetch(reference))
  /** Asked before money moves: a refusal of the one account must not be taken for that of the other. */
  const holderOf = (reference: string) =>
    firstToKnow(all, async (one) => {
      await one.fetch(reference)
      return one
    })
  return {
    ...provider,
    fetch,
    cancel: (reference) => firstToKnow(all, (one) => one.cancel(reference)),
    refund: async (request) => (await holderOf(request.paymentReference)).refund(request),
    findRefund: async (request) => (await holderOf(request.paymentReference)).findRefund(request),
    ...(provider.disputes
      ? {
          disputes: {
            textMost: provider.disputes.textMost,
            answer: async (evidence) => {
              const { disputes } = await holderOf(evidence.paymentReference)
              if (!disputes) throw new ProviderRefusal('it takes no evidence')
              return disputes.answer(evidence)
            },
          },
        }
      : {}),
    readNotice: (body, headers, now) =>
      firstToKnow(all, (one) => one.readNotice(body, headers, now)),
  }
}

/** An account that the shop has left does not answer about what the one it uses has refused: the provider itself is there. */
export class FormerAway extends Error {
  override readonly name = 'FormerAway'
}

/** Throws what the first of them said; a refusal only where each refuses, for nothing is known of one that does not answer. */
async function firstToKnow<T>(
  all: readonly PaymentProvider[],
  ask: (one: PaymentProvider) => Promise<T>,
): Promise<T> {
  const faults: unknown[] = []
  for (const one of all)
    try {
      return await ask(one)
    } catch (error) {
      faults.push(error)
    }
  const fault = faults.find((each) => !(each instanceof ProviderRefusal))
  if (fault === undefined) throw faults[0]
  if (fault === faults[0]) throw fault
  throw new FormerAway(fault instanceof Error ? fault.message : String(fault), { cause: fault })
}
