import type { CodeTable } from '../wire/outcome.ts'

/** The codes that are known of in-game top-up. Any other leaves a purchase open, and it is asked for. */
export const UNIPIN_CODES: CodeTable = { '701': 'ours', '704': 'ours', '727': 'customer' }

export const UNIPIN_WRONG_PLAYER = '727'
