import type { CodeTable } from '../wire/outcome.ts'

/** Error codes of DVS, from the list in DT One's own client of 2024. 1007001 is a reference used before: it is looked for. */
export const DTONE_CODES: CodeTable = {
  '1000401': 'ours',
  '1000404': 'ours',
  '1003001': 'ours',
  '1003002': 'price',
  '1003003': 'ours',
  '1003101': 'ours',
  '1003201': 'ours',
  '1005003': 'customer',
  '1005004': 'ours',
  '1005005': 'ours',
  '1005006': 'ours',
  '1005503': 'ours',
  '1006001': 'ours',
  '1006003': 'ours',
  '1006009': 'ours',
  '1006503': 'customer',
  '1007001': 'unknown',
  '1007002': 'unknown',
  '1007004': 'unknown',
  '1007005': 'unknown',
  '1007007': 'unknown',
  '1008004': 'unknown',
  '1009001': 'unknown',
}

/** What a transaction's status means. 1, 2 and 5 are on their way. */
export const DTONE_STATUSES: Readonly<Record<string, 'accepted' | 'done' | 'failed' | 'reversed'>> =
  {
    '1': 'accepted',
    '2': 'accepted',
    '3': 'failed',
    '4': 'failed',
    '5': 'accepted',
    '7': 'done',
    '8': 'reversed',
    '9': 'failed',
  }
