/** What is looked at before goods are delivered. */
export const GATE_TABLES = {
  age_proof: {
    personal: ['account_id', 'proved_by'],
    none: [],
    days: null,
    by: 'erasure',
    text: 'How old a shopper is at least, as an operator has seen: while the account is open.',
  },
  delivery_check: {
    personal: ['note'],
    none: ['subject', 'verdict', 'reasons', 'decision', 'decided_by'],
    days: null,
    by: 'books',
    text: 'What came of the look at an order before it was delivered stays, as the order does; it names kinds of reasons, no person.',
  },
  delivery_use: {
    personal: ['subject'],
    none: ['kind'],
    days: 32,
    by: 'clean_up',
    text: 'A keyed hash of the phone, player or shopper that something went to, deleted after 32 days, and with the account.',
  },
  screening_check: {
    personal: ['account_id', 'subject', 'matches'],
    none: ['state', 'fault'],
    days: 32,
    by: 'clean_up',
    text: 'What the screening service said of a shopper, who is named by a keyed hash alone: deleted after 32 days, and with the account.',
  },
  screening_entry: {
    personal: ['reference', 'name_key', 'email'],
    none: [],
    days: null,
    by: 'books',
    text: 'People of lists that an operator has imported, who are no shoppers: until the next import of the list, or its removal.',
  },
} as const
