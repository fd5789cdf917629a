/** How often something may be done: `burst` times at once, and as many again in each `per` seconds, evenly. */
export interface Allowance {
  readonly per: number
  readonly burst: number
}

export type Share = { readonly ok: true } | { readonly ok: false; readonly seconds: number }

/**
 * An allowance in the terms of the generic cell rate algorithm (ITU-T I.371), in microseconds: the time one share stands for,
 * and how far ahead of now the shares taken may lie for another to be had. Throws RangeError for what allows nothing.
 */
export function gcraOf({ per, burst }: Allowance): {
  readonly share: number
  readonly slack: number
} {
  if (!Number.isSafeInteger(burst) || burst < 1 || !(per > 0))
    throw new RangeError(`no allowance: ${burst} in ${per} seconds`)
  const share = Math.floor((per * 1_000_000) / burst)
  return { share, slack: share * (burst - 1) }
}
