import type { CodeTable } from '../wire/outcome.ts'

/** Response codes as Digiflazz documents them. 00 and 03 are no failures; 01, 49 and 50 leave it open. */
export const DIGIFLAZZ_CODES: CodeTable = {
  '01': 'unknown',
  '02': 'supplier',
  '40': 'ours',
  '41': 'ours',
  '42': 'stock',
  '43': 'stock',
  '44': 'ours',
  '45': 'ours',
  '47': 'supplier',
  '49': 'unknown',
  '50': 'unknown',
  '51': 'customer',
  '52': 'customer',
  '53': 'stock',
  '54': 'customer',
  '55': 'stock',
  '57': 'customer',
  '58': 'wait',
  '59': 'customer',
}

/**
 * How a transaction ended. Any other failure refuses the call that asked: of what was bought before under the reference it says nothing.
 */
export const DIGIFLAZZ_ENDED: ReadonlySet<string> = new Set([
  '02',
  '51',
  '52',
  '53',
  '54',
  '55',
  '57',
  '59',
])

/** How long sales are closed at a cut-off is not told. */
export const CUT_OFF_WAIT_MS = 30 * 60_000
