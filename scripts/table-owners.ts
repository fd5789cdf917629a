/** Each table is written by the feature that owns it; whoever else wants something of it calls a command of the owner. */
export const OWNERS: Readonly<Record<string, readonly string[]>> = {
  analytics: ['page_count', 'visit', 'visit_count'],
  audit: ['audit_log'],
  guard: ['sign_in_guard'],
  idempotency: ['idempotency_key'],
  ledger: ['ledger_account', 'ledger_transfer'],
  limit: ['rate_limit'],
  review: ['review'],
  setting: ['setting'],
  stock: ['card_source', 'stock_change', 'stock_level'],
  currency: ['currency_rate', 'rate_quote'],
  price: ['margin_rule', 'price_input'],
  transfer: [
    'article',
    'article_category',
    'brand',
    'brand_category',
    'category',
    'code_redirect',
    'country',
    'currency',
    'game',
    'item',
    'item_level_price',
    'picture',
    'platform',
    'product',
    'region',
    'translation',
    'unit',
  ],
  upload: ['uploaded_picture'],
  account: ['account'],
  address: ['billing_address'],
  factor: ['passkey', 'program_key', 'recovery_code', 'second_factor'],
  favourite: ['favourite'],
  identity: ['linked_identity'],
  mail: ['outgoing_mail'],
  notice: ['notice'],
  phone: ['outgoing_sms'],
  session: ['known_device', 'session'],
  verification: ['verification'],
  'saved-account': ['saved_account'],
  'after-sales': ['service_case', 'service_case_unit'],
  'bank-transfer': ['bank_receipt', 'bank_return'],
  cart: ['cart_line'],
  gate: ['age_proof', 'delivery_check', 'delivery_use', 'screening_entry'],
  fulfilment: ['delivery_time'],
  order: ['order_event', 'order_line', 'order_unit', 'shop_order'],
  payment: ['payment_attempt', 'provider_event'],
  promise: ['broken_promise', 'promise_look'],
  reconciliation: ['payment_difference', 'reconciliation', 'reconciliation_failure'],
  refund: ['refund', 'refund_unit'],
  'unmatched-payment': ['stray_payment'],
  reseller: ['reseller_key', 'reseller_nonce', 'reseller_order'],
  agent: ['agent_confirmation'],
  webhook: ['webhook_delivery', 'webhook_endpoint'],
  vault: ['card_key', 'key_access', 'key_batch', 'key_encryption_key', 'vault_reader'],
  purchase: ['purchase', 'purchase_unit', 'supplier_deposit', 'supply_case', 'supply_queue'],
  routing: ['item_route', 'supplier', 'supplier_balance', 'supplier_offer'],
  balance: ['supplier_balance_reading'],
  comparison: ['supply_comparison', 'supply_difference'],
  invoice: ['supplier_commission', 'supplier_invoice', 'supplier_usage'],
  'account-check': ['line_player'],
  'delivery-pace': ['delivery_pace'],
  alert: ['alert_matter', 'alert_message'],
  operator: ['operator', 'operator_token'],
  approval: ['operator_act'],
  // No feature's: the platform's own, and what migrations and those who apply them write.
  platform: ['running_process', 'sweep'],
  schema: ['expansion', 'function_edition', 'migration', 'transition_rule'],
}

export interface Loan {
  readonly table: string
  /** A feature, or a file of db/functions. */
  readonly to: string
  /** What it may set in rows that are there; all of them, and new rows, where none are named. */
  readonly columns?: readonly string[]
  readonly why: string
}

/** Where one statement or one trip must reach into tables of others, or the owner stands above. */
export const LOANS: readonly Loan[] = [
  {
    table: 'account',
    to: 'phone',
    columns: ['mobile', 'mobile_verified_at'],
    why: 'account stands above',
  },
  { table: 'account', to: 'upload', columns: ['avatar'], why: 'account stands above' },
  {
    table: 'payment_attempt',
    to: 'refund',
    columns: ['refunded_minor', 'reversed_minor'],
    why: 'payment stands above; its constraint bounds what is given back',
  },
  {
    table: 'order_event',
    to: 'order-notification',
    columns: ['is_to_tell'],
    why: 'the mark is taken by the statement that reads what to tell',
  },
  {
    table: 'card_key',
    to: 'order',
    columns: ['status', 'delivered_at'],
    why: 'a key and its unit are delivered by one statement',
  },
  {
    table: 'item',
    to: 'price',
    columns: ['own_prices', 'locked_fields', 'updated_at'],
    why: 'a price that an operator types is kept from the next import',
  },
  { table: 'sign_in_guard', to: 'factor', why: 'counts second factors by a rule of their own' },
  {
    table: 'cart_line',
    to: '30_order.sql',
    why: 'an order and its cart are one trip (decision 022)',
  },
  ...['shop_order', 'order_unit', 'order_event', 'card_key', 'ledger_transfer'].map((table) => ({
    table,
    to: '50_payment.sql',
    why: 'beginning to pay and a plain payment are one trip each (decisions 020, 022)',
  })),
  ...[
    { table: 'key_access', columns: ['network'] },
    { table: 'provider_event', columns: ['body'] },
    { table: 'service_case', columns: ['text', 'picture'] },
  ].map((lent) => ({
    ...lent,
    to: '95_retention.sql',
    why: 'the one function that takes out of evidence what tells of people',
  })),
  ...['shop_order', 'order_line', 'order_unit', 'order_event', 'payment_attempt'].map((table) => ({
    table,
    to: '95_retention.sql',
    why: 'an order that came to nothing goes in one trip, as the owner of the tables',
  })),
  {
    table: 'purchase',
    columns: ['fields', 'told'],
    to: '95_retention.sql',
    why: 'the one function that takes out of evidence what tells of people',
  },
  { table: 'audit_log', to: '95_retention.sql', why: 'what only its owner may take away' },
]
