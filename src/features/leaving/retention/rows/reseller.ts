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
  reseller_test_delivery: { personal: [], none: ['public_id', 'order_status', 'state', 'answer'] },
  reseller_test_key: {
    personal: ['account_id', 'name', 'webhook_url'],
    none: ['public_id', 'salt', 'created_by'],
    days: 30,
    by: 'clean_up',
    text: 'Deleted 30 days after it was revoked, and with the account.',
  },
  reseller_test_order: {
    personal: ['account_id', 'reference'],
    none: ['public_id', 'request_hash', 'lines', 'refusal'],
    days: 30,
    by: 'clean_up',
    text: 'Deleted 30 days after it was made, and with the account. What was typed of an account to be credited is not kept.',
  },
  agent_confirmation: {
    personal: ['account_id', 'lines', 'reference'],
    none: ['public_id', 'request_hash', 'state'],
    days: 30,
    by: 'clean_up',
    text: 'Deleted 30 days after it has ended, and with the account.',
  },
  webhook_delivery: { personal: [], none: ['public_id', 'order_status', 'state', 'answer'] },
  webhook_endpoint: {
    personal: ['account_id', 'url'],
    none: ['public_id', 'salt', 'status', 'created_by'],
    days: null,
    by: 'erasure',
    text: 'While the account is open.',
  },
} as const
