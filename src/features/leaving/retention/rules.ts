import { CATALOGUE_TABLES } from './rows/catalogue.ts'
import { DESK_TABLES } from './rows/desk.ts'
import { RESELLER_TABLES } from './rows/reseller.ts'
import { GATE_TABLES } from './rows/gate.ts'
import { CREDITED_TABLES } from './rows/credited.ts'
import { PRICE_TABLES } from './rows/prices.ts'
import { REPORT_TABLES } from './rows/reports.ts'
import { SUPPLY_TABLES } from './rows/supply.ts'
import { BOOK_TABLES } from './rows/books.ts'
import { TEAM_TABLES } from './rows/team.ts'

/** Days that evidence of a purchase is kept: as long as a payer's bank may ask for it. */
export const EVIDENCE_DAYS = 540
/** Days that the text of a payment service's notice is kept, which holds the payer's name. */
export const NOTICE_DAYS = 90
/** Days after which an order that came to nothing goes, whole. */
export const UNPAID_DAYS = 180
/** Days that it is known what somebody changed of their own account. */
export const CHANGE_DAYS = 540
/** Days that the trail of the shop's own people is kept: ten years, as its books. */
export const AUDIT_DAYS = 3_650

/**
 * What ends it. `erasure`: with the account, by its feature's `eraseX`. `forget_evidence`: the one function of the database that may
 * change what is only ever added to, called after the term and at erasure. `books`: it stays, under a name that is nobody's any more.
 * The rest are sweeps of the worker.
 */
export type EndedBy = 'erasure' | 'forget_evidence' | 'books' | 'clean_up' | 'clean_notices'

export interface TableRetention {
  /** Columns that tell of a person. */
  readonly personal: readonly string[]
  /** Columns with text or bytes that do not. A column that stands in neither list fails a test. */
  readonly none: readonly string[]
  /** Null: no term of its own. */
  readonly days?: number | null
  readonly by?: EndedBy
  /** How long, and what happens then, for operators: docs/operating/retention.md is made of it. */
  readonly text?: string
}

/** Every table, and what of it tells of people. */
export const RETENTION: Readonly<Record<string, TableRetention>> = {
  account: {
    personal: ['user_id', 'user_name', 'nickname', 'email', 'mobile', 'password_hash'],
    none: ['status'],
    days: null,
    by: 'erasure',
    text: 'While the account is open, and 30 days after it is cancelled.',
  },
  alert_matter: { personal: [], none: ['kind'] },
  alert_message: { personal: [], none: ['body', 'failure'] },
  answer_template: { personal: [], none: ['public_id', 'name', 'texts', 'changed_by'] },
  audit_log: {
    personal: ['actor', 'network', 'before', 'after'],
    none: ['request_id', 'action', 'subject', 'subject_code'],
    days: AUDIT_DAYS,
    by: 'clean_up',
    text: 'Changes by operators and imports, with the network they came from cut to its prefix: ten years. They name accounts and fields, not what stood in them. What people changed of their own accounts goes after 540 days.',
  },
  audit_seal: {
    personal: [],
    none: ['kept_hash', 'people_hash', 'previous_hash', 'hash'],
  },
  bank_line: {
    personal: ['payer', 'text', 'note'],
    none: ['reference', 'account', 'outcome', 'closed_by', 'fingerprint'],
    days: EVIDENCE_DAYS,
    by: 'forget_evidence',
    text: `Who paid by transfer and what they wrote is taken out ${EVIDENCE_DAYS} days after the bank booked it, and with the account; what an operator noted stays.`,
  },
  bank_statement: { personal: [], none: ['format', 'digest', 'imported_by'] },
  accepted_part: { personal: [], none: [] },
  accepted_payment: { personal: [], none: ['was', 'accepted_by'] },
  bank_receipt: { personal: [], none: ['reference', 'recorded_by'] },
  bank_return: { personal: [], none: ['recorded_by'] },
  billing_address: {
    personal: [
      'account_id',
      'first_name',
      'surname',
      'address',
      'postal_code',
      'country',
      'region',
    ],
    none: ['public_id'],
    days: null,
    by: 'erasure',
    text: 'While the account is open, or until its owner takes it away.',
  },
  broken_promise: { personal: [], none: ['invariant', 'subject'] },
  card_key: {
    personal: [],
    none: ['status', 'nonce', 'ciphertext', 'wrapped_key', 'fingerprint', 'last_four'],
  },
  cart_line: {
    personal: ['account_id', 'account_fields'],
    none: ['fields_hash'],
    days: null,
    by: 'erasure',
    text: 'Until it is bought or taken out.',
  },
  currency: { personal: [], none: ['numeric_code', 'name', 'symbol', 'rounding_mode'] },
  currency_rate: { personal: [], none: ['source'] },
  favourite: {
    personal: ['account_id'],
    none: [],
    days: null,
    by: 'erasure',
    text: 'While the account is open.',
  },
  function_edition: { personal: [], none: ['hash'] },
  operator_answer: { personal: [], none: ['operator', 'key', 'call', 'request_hash', 'answer'] },
  idempotency_key: {
    personal: ['account_id', 'answer', 'key'],
    none: ['call', 'request_hash'],
    days: 1,
    by: 'clean_up',
    text: 'Deleted after a day.',
  },
  key_access: {
    personal: ['network', 'actor'],
    none: ['purpose', 'request_id'],
    days: 540,
    by: 'forget_evidence',
    text: 'Who opened a code and when stays; the network it was opened from is taken out after 540 days, and with the account.',
  },
  key_batch: {
    personal: [],
    none: ['file_name', 'created_by', 'supplier', 'cost_currency', 'withdrawn_by'],
  },
  key_batch_level: { personal: [], none: [] },
  key_replacement: { personal: [], none: ['reason', 'replaced_by'] },
  key_encryption_key: { personal: [], none: ['check_value'] },
  known_device: {
    personal: ['account_id', 'fingerprint'],
    none: [],
    days: null,
    by: 'erasure',
    text: 'While the account is open.',
  },
  figure: { personal: [], none: ['span', 'dimension', 'value'] },
  figure_due: { personal: [], none: [] },
  figure_progress: { personal: [], none: ['time_zone'] },
  ledger_account: { personal: [], none: ['code'] },
  ledger_transfer: {
    personal: ['account_id'],
    none: ['source'],
    days: null,
    by: 'books',
    text: "Books stay; the account they name is nobody's any more once it is erased.",
  },
  linked_identity: {
    personal: ['account_id', 'subject', 'display_name'],
    none: ['issuer'],
    days: null,
    by: 'erasure',
    text: 'While the account is open, or until it is unlinked.',
  },
  migration: { personal: [], none: ['name', 'hash'] },
  notice: {
    personal: ['account_id', 'params'],
    none: ['public_id', 'kind'],
    days: null,
    by: 'clean_notices',
    text: 'While the account is open; old ones go by themselves.',
  },
  order_event: {
    personal: ['actor', 'details'],
    none: ['request_id', 'from_status', 'to_status', 'reason'],
    days: null,
    by: 'books',
    text: 'What happened to an order stays, as its books do; it names an account, no person.',
  },
  order_note: {
    personal: ['text'],
    none: ['public_id', 'author'],
    days: null,
    by: 'erasure',
    text: 'What the team notes about an order is taken out with the account.',
  },
  shopper_note: {
    personal: ['account_id', 'text'],
    none: ['public_id', 'author'],
    days: null,
    by: 'erasure',
    text: 'What the team notes about a shopper is taken out with the account.',
  },
  page_read: { personal: [], none: ['actor', 'token', 'call'] },
  order_view: { personal: [], none: ['public_id', 'name', 'filters'] },
  order_line: {
    personal: ['account_fields'],
    none: [
      'item_code',
      'product',
      'delivery',
      'product_name',
      'item_name',
      'price_steps',
      'amount_currency',
      'tax_class',
    ],
    days: 540,
    by: 'forget_evidence',
    text: 'The game account that was charged is taken out after 540 days, and with the account.',
  },
  order_unit: { personal: [], none: ['delivery', 'status', 'claimed_by', 'proof'] },
  outgoing_mail: {
    personal: ['account_id', 'recipient', 'params'],
    none: ['kind', 'job_key'],
    days: 30,
    by: 'clean_up',
    text: 'Deleted after 30 days, and with the account.',
  },
  outgoing_sms: {
    personal: ['account_id', 'mobile'],
    none: [],
    days: 30,
    by: 'clean_up',
    text: 'Deleted after 30 days, and with the account.',
  },
  passkey: {
    personal: ['account_id', 'credential_id', 'public_key', 'name'],
    none: ['public_id'],
    days: null,
    by: 'erasure',
    text: 'While the account is open, or until it is taken away.',
  },
  payment_attempt: {
    personal: [],
    none: ['status', 'provider_reference', 'redirect_url', 'failure'],
  },
  provider_event: {
    personal: ['body'],
    none: ['event_id', 'kind', 'provider_reference', 'outcome', 'request_id'],
    days: 90,
    by: 'forget_evidence',
    text: "Notices of payment services hold payers' names: their text is taken out after 90 days, and with the account; what is left goes after 540 days.",
  },
  rate_quote: { personal: [], none: ['source', 'base', 'state', 'decided_by'] },
  rate_limit: {
    personal: ['key'],
    none: [],
    days: 1,
    by: 'clean_up',
    text: 'A keyed hash, deleted once it is worth nothing.',
  },
  recovery_code: {
    personal: ['account_id', 'code_hash'],
    none: [],
    days: null,
    by: 'erasure',
    text: 'While the second factor is on.',
  },
  refund: {
    personal: [],
    none: [
      'purpose',
      'destination',
      'status',
      'reason',
      'requested_by',
      'approved_by',
      'provider_reference',
      'failure',
      'request_id',
    ],
  },
  refund_part: { personal: [], none: [] },
  refund_unit: { personal: [], none: [] },
  review: {
    personal: ['account_id', 'nickname', 'text'],
    none: ['brand', 'country', 'source', 'answer'],
    days: null,
    by: 'erasure',
    text: 'While it is published; with the account its name goes.',
  },
  running_process: { personal: [], none: ['kind', 'disk_low'] },
  second_factor: {
    personal: ['account_id', 'sealed_seed'],
    none: [],
    days: null,
    by: 'erasure',
    text: 'While it is on.',
  },
  service_case: {
    personal: ['account_id', 'text'],
    none: ['kind', 'reason', 'destination', 'status', 'decided_by', 'claimed_by', 'note'],
    days: 540,
    by: 'forget_evidence',
    text: 'What a buyer wrote is taken out 540 days after the decision, and with the account.',
  },
  service_case_unit: { personal: [], none: [] },
  session: {
    personal: ['account_id', 'browser', 'system', 'network', 'token_hash', 'handle_hash'],
    none: ['public_id'],
    days: 90,
    by: 'clean_up',
    text: 'Deleted when it ends, after 90 days at most.',
  },
  setting: { personal: [], none: ['key', 'value'] },
  shop_order: {
    personal: ['account_id', 'evidence'],
    none: [
      'number',
      'request_key',
      'request_hash',
      'status',
      'hold',
      'ended',
      'pricing',
      'country',
      'terms_version',
    ],
    days: 540,
    by: 'forget_evidence',
    text: 'A paid order stays, as the books do; network and device are taken out after 540 days, and with the account. One that came to nothing is deleted after 180 days.',
  },
  sign_in_guard: {
    personal: ['key'],
    none: [],
    days: 1,
    by: 'clean_up',
    text: 'A keyed hash, deleted after a day without a failure.',
  },
  stock_change: { personal: [], none: [] },
  key_sale_day: { personal: [], none: [] },
  key_shelf: { personal: [], none: [] },
  stock_level: { personal: [], none: [] },
  ...CATALOGUE_TABLES,
  ...GATE_TABLES,
  ...SUPPLY_TABLES,
  ...BOOK_TABLES,
  ...REPORT_TABLES,
  ...DESK_TABLES,
  ...TEAM_TABLES,
  ...RESELLER_TABLES,
  ...PRICE_TABLES,
  ...CREDITED_TABLES,
  payment_difference: {
    personal: ['note'],
    none: ['kind', 'outcome', 'closed_by'],
    days: null,
    by: 'books',
    text: 'What an operator noted about a difference from a payment service.',
  },
  reconciliation_failure: { personal: [], none: ['reference', 'failure', 'provider'] },
  program_key: { personal: [], none: ['check_value'] },
  promise_look: { personal: [], none: ['name'] },
  stray_payment: {
    personal: ['note'],
    none: ['provider_reference', 'our_reference', 'outcome', 'closed_by'],
    days: null,
    by: 'books',
    text: 'What an operator noted about money that belongs to no order.',
  },
  sweep: { personal: [], none: ['name', 'error'] },
  system_check: { personal: [], none: ['subject', 'problems', 'work', 'note'] },
  transition_rule: { personal: [], none: ['machine', 'from_status', 'to_status'] },
  unit: { personal: [], none: ['key', 'name'] },
  uploaded_picture: {
    personal: ['account_id', 'content'],
    none: ['public_id', 'purpose'],
    days: null,
    by: 'erasure',
    text: 'While the account is open, or until it is replaced; one that was sent for a question goes after a day without it, and with what was written, 540 days after the decision.',
  },
  vault_reader: { personal: [], none: ['name'] },
  verification: {
    personal: ['account_id', 'target', 'data', 'code_hash', 'secret_hash'],
    none: ['purpose'],
    days: 1,
    by: 'clean_up',
    text: 'Deleted a day after it is used or has run out.',
  },
  visit: { personal: [], none: ['visit_id_hash'] },
  visit_count: { personal: [], none: [] },
}

/** The table of docs/operating/retention.md. */
export function retentionTable(): string {
  const rows = Object.entries(RETENTION).flatMap(([table, { personal, text }]) =>
    text === undefined
      ? []
      : [`| \`${table}\` | ${personal.map((column) => `\`${column}\``).join(', ')} | ${text} |`],
  )
  return [
    '| table | tells of people | how long, and what happens then |',
    '|---|---|---|',
    ...rows,
  ].join('\n')
}
