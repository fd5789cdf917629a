/** Tables of those who buy by a key. */
export const RESELLER_TABLES = {
  reseller_key: {
    personal: ['account_id', 'name', 'networks'],
    none: ['public_id', 'scopes', 'salt', 'former_salt', 'contract', 'created_by'],
    days: null,
    by: 'erasure',
    text: 'A key stays, as what was bought by it does; its name and networks are taken out with the account, which ends it.',
  },
  reseller_nonce: { personal: [], none: ['nonce'] },
  reseller_order: {
    personal: ['account_id', 'reference'],
    none: ['request_hash', 'state', 'refusal'],
    days: null,
    by: 'erasure',
    text: 'What a reseller calls an order stays as long as that; with the account it is taken out.',
  },
} as const
