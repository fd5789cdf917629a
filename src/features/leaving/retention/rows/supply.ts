/** What suppliers are told, and what is kept of it. */
export const SUPPLY_TABLES = {
  purchase: {
    personal: ['fields', 'told'],
    none: [
      'reference',
      'supplier_id',
      'status',
      'kind',
      'product',
      'failure_class',
      'failure_code',
      'why',
      'request_id',
    ],
    days: 540,
    by: 'forget_evidence',
    text: 'The account that a supplier was told, and what it answered about it, are taken out after 540 days, and with the account.',
  },
  purchase_unit: { personal: [], none: [] },
  supplier: { personal: [], none: ['status', 'rests_for', 'rests_code'] },
  supplier_deposit: { personal: [], none: ['reference', 'recorded_by'] },
  supplier_offer: { personal: [], none: ['kind', 'product', 'fields', 'fixed'] },
  supply_case: {
    personal: ['note'],
    none: ['kind', 'closed_by'],
    days: null,
    by: 'books',
    text: 'What an operator noted about a purchase.',
  },
  supply_queue: { personal: [], none: ['held'] },
} as const
