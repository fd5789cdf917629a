/** Each table is written by the feature that owns it; whoever else wants something of it calls a command of the owner. */
export const OWNERS: Readonly<Record<string, readonly string[]>> = {
  analytics: ['page_count', 'visit', 'visit_count'],
  audit: ['audit_log', 'audit_seal', 'page_read'],
  guard: ['sign_in_guard'],
  idempotency: ['idempotency_key', 'operator_answer'],
  ledger: ['ledger_account', 'ledger_transfer'],
  limit: ['rate_limit'],
  review: ['review'],
  'sale-stop': ['sale_stop'],
  setting: ['setting'],
  tax: ['tax_class', 'tax_rate'],
  stock: ['card_source', 'key_batch_level', 'key_sale_day', 'stock_change', 'stock_level'],
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
  shopper: ['shopper_note'],
  case: ['answer_template'],
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
  'bank-transfer': ['bank_line', 'bank_receipt', 'bank_return', 'bank_statement'],
  cart: ['cart_line'],
  gate: ['age_proof', 'delivery_check', 'delivery_use', 'screening_check', 'screening_entry'],
  fulfilment: ['delivery_time'],
  order: ['order_event', 'order_line', 'order_note', 'order_unit', 'shop_order'],
  payment: ['payment_attempt', 'provider_event'],
  promise: ['broken_promise', 'promise_look'],
  reconciliation: ['payment_difference', 'reconciliation', 'reconciliation_failure'],
  refund: ['refund', 'refund_unit'],
  'sales-invoice': ['sales_invoice', 'sales_invoice_series', 'tax_booking', 'tax_due'],
  'unmatched-payment': ['stray_payment'],
  reseller: ['reseller_key', 'reseller_nonce', 'reseller_order'],
  'reseller-sandbox': ['reseller_test_delivery', 'reseller_test_key', 'reseller_test_order'],
  agent: ['agent_confirmation'],
  webhook: ['webhook_delivery', 'webhook_endpoint'],
  'key-import': ['key_import', 'key_import_chunk', 'key_import_fault'],
  shelf: ['key_shelf'],
  vault: [
    'card_key',
    'key_access',
    'key_batch',
    'key_encryption_key',
    'key_replacement',
    'vault_reader',
  ],
  desk: ['list_columns', 'order_view'],
  live: ['order_looker'],
  'key-export': ['key_export', 'key_export_piece'],
  bulk: ['bulk_run', 'bulk_run_order'],
  desk: ['order_view'],
  'payment-service': ['payment_service', 'payment_service_draft'],
  purchase: ['purchase', 'purchase_unit', 'supplier_deposit', 'supply_case', 'supply_queue'],
  routing: ['item_route', 'supplier', 'supplier_balance', 'supplier_offer'],
  balance: ['supplier_balance_reading'],
  comparison: ['supply_comparison', 'supply_difference'],
  invoice: ['supplier_commission', 'supplier_invoice', 'supplier_usage'],
  'account-check': ['line_player'],
  'delivery-pace': ['delivery_pace'],
  sync: ['supplier_product', 'supply_schedule', 'supply_sync_run'],
  alert: ['alert_matter', 'alert_message'],
  operator: [
    'operator',
    'operator_factor_reset',
    'operator_invitation',
    'operator_passkey',
    'operator_proof',
    'operator_recovery_code',
    'operator_role',
    'operator_session',
    'operator_ticket',
    'operator_token',
    'operator_totp',
  ],
  approval: ['operator_act'],
  system: ['system_check'],
  books: ['ledger_closing', 'ledger_day'],
  figure: ['figure', 'figure_due', 'figure_progress'],
  export: ['export_part', 'export_run'],
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
    columns: ['refunded_minor', 'reversed_minor'],
  },
  {
    columns: ['is_to_tell'],
  },
  {
    columns: ['status', 'delivered_at'],
  },
  {
    columns: ['own_prices', 'locked_fields', 'updated_at'],
  },
  ...['brand', 'product', 'item'].map((table) => ({
    table,
  })),
  { table: 'sign_in_guard', to: 'factor', why: 'counts second factors by a rule of their own' },
  {
  },
  ...['shop_order', 'order_unit', 'order_event', 'card_key', 'ledger_transfer'].map((table) => ({
    table,
  })),
  ...[
    { table: 'key_access', columns: ['network'] },
    { table: 'provider_event', columns: ['body'] },
    { table: 'service_case', columns: ['text', 'picture'] },
  ].map((lent) => ({
    ...lent,
  })),
  ...[
    { table: 'purchase' },
    { table: 'purchase_unit' },
    {
      columns: ['status', 'delivered_at', 'proof', 'claimed_by', 'claimed_until'],
    },
    { table: 'shop_order', columns: ['status', 'updated_at'] },
    { table: 'order_event' },
    { table: 'ledger_transfer' },
    { table: 'audit_log' },
  ].map((loan) => ({
    ...loan,
  })),
  ...['shop_order', 'order_line', 'order_unit', 'order_event', 'order_note', 'payment_attempt'].map(
    (table) => ({
      table,
    }),
  ),
  {
    columns: ['fields', 'told'],
  },
  { table: 'audit_log', to: '95_retention.sql', why: 'what only its owner may take away' },
  {
    columns: ['people_forgotten_at', 'forgotten_at'],
  },
]
