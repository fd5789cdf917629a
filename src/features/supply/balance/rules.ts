/** Days whose spending says how long a balance lasts. */
export const COVER_DAYS = 3
/** What a supplier said of its balance is kept so long. */
export const READINGS_KEPT_DAYS = 30
/** How often suppliers are asked for it. */
export const BALANCE_EVERY_SECONDS = 300

export interface CoverSettings {
  /** Somebody is told when a balance lasts for no longer. */
  readonly alertHours: number
}

export const DEFAULT_COVER: CoverSettings = { alertHours: 24 }

/** A balance at a supplier beside what the books say of it. Amounts in minor units of its currency. */
export interface BalanceFacts {
  readonly availableMinor: bigint
  /** What the books say that it is, and what of that is set aside for purchases under way. */
  readonly prepaidMinor: bigint
  readonly reservedMinor: bigint
  /** Money sent there was ever noted: otherwise the books cannot know. */
  readonly isBooked: boolean
  readonly spentMinor: bigint
  /** Hours in which that was spent. */
  readonly spentHours: number
}

/** Whole hours that a balance lasts for at the pace of the last days; null where nothing was spent. */
export function hoursOfCover({
  availableMinor,
  spentMinor,
  spentHours,
}: Pick<BalanceFacts, 'availableMinor' | 'spentMinor' | 'spentHours'>): number | null {
  if (spentMinor <= 0n) return null
  const hours = (availableMinor * BigInt(Math.max(1, Math.round(spentHours)))) / spentMinor
  return hours > 9_999n ? 9_999 : Number(hours)
}

/**
 * By how much a balance is another than the books say. What is set aside may have been taken there or not: within that nothing is off.
 * Null where no money sent there was ever noted.
 */
export function offBy({
  availableMinor,
  prepaidMinor,
  reservedMinor,
  isBooked,
}: Omit<BalanceFacts, 'spentMinor' | 'spentHours'>): bigint | null {
  if (!isBooked) return null
  if (availableMinor < prepaidMinor) return availableMinor - prepaidMinor
  const most = prepaidMinor + reservedMinor
  return availableMinor > most ? availableMinor - most : 0n
}

/** Whether somebody has to send money there, soon. */
export function isLow(facts: BalanceFacts, { alertHours }: CoverSettings): boolean {
  const hours = hoursOfCover(facts)
  return hours !== null && hours < alertHours
}
