import type { CodeTable } from '../wire/outcome.ts'

/** The codes that are known of in-game top-up. Any other leaves a purchase open, and it is asked for. */
export const UNIPIN_CODES: CodeTable = { '701': 'ours', '704': 'ours', '727': 'customer' }

export const UNIPIN_WRONG_PLAYER = '727'

/** Those that refuse a voucher: out of stock, no such denomination. */
export const UNIPIN_VOUCHER_CODES: CodeTable = { '705': 'stock', '707': 'stock' }
/** What is read before buys nothing, so that a code of top-ups may be believed there. */
export const UNIPIN_VOUCHER_READ_CODES: CodeTable = { ...UNIPIN_CODES, ...UNIPIN_VOUCHER_CODES }
