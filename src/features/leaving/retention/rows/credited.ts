/** Accounts of games and phones that goods are credited to. */
export const CREDITED_TABLES = {
  line_player: {
    personal: ['name'],
    none: [],
    days: 540,
    by: 'forget_evidence',
    text: 'What a supplier calls the account that was charged goes with it.',
  },
  saved_account: {
    personal: ['account_id', 'field_set', 'label', 'fields', 'fields_hash'],
    none: ['public_id'],
    days: null,
    by: 'erasure',
    text: 'While the account is open, or until it is removed.',
  },
} as const
