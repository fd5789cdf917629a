import { secret, type Secret } from '#platform/secret.ts'
import { hookSignature } from '#providers/supply/hook/api.ts'
import type { Exchange, SupplyClient } from '#providers/supply/wire/client.ts'

/** What a rule came to. */
export interface Finding {
  readonly rule: string
  readonly end: 'kept' | 'broken' | 'not_tried'
  /** Of what is broken or was not tried. */
  readonly why: string | null
}

/** A sentence of a contract, and how it is tried. Throws where it is broken, or `NotTried`. */
export interface Rule {
  readonly says: string
  readonly holds: () => Promise<void>
}

/** What the rule needs is not there: that is told at another one, or is not the owner's wish. */
export class NotTried extends Error {
  override readonly name = 'NotTried'
}

/** Tries rules one after the other: a later one may go on with what an earlier one has made. */
export async function tryRules(
  rules: readonly Rule[],
  tell: (finding: Finding) => void,
): Promise<readonly Finding[]> {
  const findings: Finding[] = []
  for (const { says, holds } of rules) {
    const finding = await holds().then(
      (): Finding => ({ rule: says, end: 'kept', why: null }),
      (error: unknown): Finding => ({
        rule: says,
        end: error instanceof NotTried ? 'not_tried' : 'broken',
        why: error instanceof Error ? error.message : String(error),
      }),
    )
    tell(finding)
    findings.push(finding)
  }
  return findings
}

/** Throws the sentence where something does not hold. */
export function must(holds: unknown, otherwise: string): asserts holds {
  if (holds === false || holds === null || holds === undefined) throw new Error(otherwise)
}

/** What an earlier rule was to make. */
export function needed<T>(value: T | null | undefined, what: string): T {
  if (value === null || value === undefined)
    throw new NotTried(`there is no ${what} to try it with`)
  return value
}

type Body = Readonly<Record<string, unknown>>

/** An address that speaks one of the contracts. */
export interface Extension {
  /** A call as the shop makes it. @param minutesAgo when it was signed @param isForged signed with another secret */
  readonly ask: (
    body: Body,
    how?: { readonly minutesAgo?: number; readonly isForged?: boolean },
  ) => Promise<Exchange>
}

export function openExtension(
  url: string,
  key: Secret,
  client: SupplyClient,
  /** Of its headers. */
  prefix: 'payment' | 'supply',
): Extension {
  const other = secret('nobody has agreed upon this one: whoever takes it looks at no signature')
  return {
    ask(call, { minutesAgo = 0, isForged = false } = {}) {
      const body = JSON.stringify(call)
      const timestamp = String(Math.floor(Date.now() / 1_000) - minutesAgo * 60)
      return client({
        method: 'POST',
        url,
        headers: {
          'content-type': 'application/json',
          [`${prefix}-timestamp`]: timestamp,
          [`${prefix}-signature`]: hookSignature(isForged ? other : key, timestamp, body),
        },
        body,
      })
    },
  }
}

/** Whatever was asked, it is not done for somebody who has not the secret. */
export function signatureRules({ ask }: Extension, call: Body): readonly Rule[] {
  const isRefused = (exchange: Exchange) =>
    exchange.kind === 'answer' && exchange.status === 401
      ? null
      : exchange.kind === 'answer'
        ? `it was answered with ${exchange.status}`
        : exchange.why
  const refused = async (how: { readonly minutesAgo?: number; readonly isForged?: boolean }) => {
    const fault = isRefused(await ask(call, how))
    must(fault === null, fault ?? '')
  }
  return [
    {
      says: 'A call that is signed with another secret is answered with 401.',
      holds: () => refused({ isForged: true }),
    },
    {
      says: 'A call that was signed ten minutes ago is answered with 401.',
      holds: () => refused({ minutesAgo: 10 }),
    },
    {
      says: 'A call that is signed for in ten minutes is answered with 401.',
      holds: () => refused({ minutesAgo: -10 }),
    },
  ]
}
