/* Generated from db/migrations and db/functions by scripts/db-types.ts: do not edit. */
import type { ColumnType } from 'kysely'

/** Sent as text or bigint, read as text: no precision is lost. */
export type Int8 = ColumnType<string, string | bigint | number, string | bigint | number>
export type Numeric = ColumnType<string, string | bigint, string | bigint>
export type Timestamp = ColumnType<Date, Date, Date>
/** A calendar day, written as '2026-11-20'. */
export type Day = ColumnType<Date, string, string>
/** Has a default: may be left out when inserted. */
export type Generated<T> = T extends ColumnType<infer S, infer I, infer U> ? ColumnType<S, I | undefined, U> : ColumnType<T, T | undefined, T>
/** Parsed when read; written as JSON text. */
export type Json = ColumnType<unknown, string, string>
export type LanguageCode = 'ar' | 'de' | 'en' | 'es' | 'fr' | 'hi' | 'id' | 'it' | 'ja' | 'ko' | 'ms' | 'my' | 'nl' | 'pt' | 'ro' | 'ru' | 'th' | 'tl' | 'vi' | 'zh' | 'zh-tw'
export type PublicationStatus = 'active' | 'suspended'

export interface AcceptedPartTable {
  attempt_id: string
  order_id: string
  amount_minor: Numeric
}

export interface AcceptedPaymentTable {
  order_id: string
  attempt_id: string
  was: 'open' | 'cancelled' | 'expired'
  currency: string
  shortfall_minor: Numeric
  accepted_by: string
  accepted_at: Timestamp
}

export interface AccountTable {
  id: string
  user_id: string
  uid: Int8
  user_name: string | null
  nickname: string | null
  email: string | null
  email_verified_at: Timestamp | null
  mobile: string | null
  mobile_verified_at: Timestamp | null
  password_hash: string | null
  password_changed_at: Timestamp | null
  avatar: string | null
  language: LanguageCode
  role_id: Generated<number>
  status: Generated<'active' | 'frozen' | 'cancelling' | 'erased'>
  registered_at: Timestamp
  cancel_requested_at: Timestamp | null
  erase_at: Timestamp | null
  erased_at: Timestamp | null
  frozen_at: Timestamp | null
}

export interface AgeProofTable {
  account_id: string
  years: number
  proved_by: string
  proved_at: Timestamp
}

export interface AgentConfirmationTable {
  id: string
  public_id: string
  account_id: string
  key_id: string
  reference: string
  request_hash: Buffer
  lines: Json
  currency: string
  amount_minor: Numeric
  state: Generated<'waiting' | 'approved' | 'refused'>
  created_at: Timestamp
  ends_at: Timestamp
  decided_at: Timestamp | null
}

export interface AlertMatterTable {
  id: string
  kind: string
  begun_at: Timestamp
  seen_at: Timestamp
  over_at: Timestamp | null
  count: number
  told_at: Timestamp | null
  added: Generated<number>
}

export interface AlertMessageTable {
  id: string
  body: string
  created_at: Timestamp
  attempts: Generated<number>
  next_at: Timestamp | null
  delivered_at: Timestamp | null
  failure: Generated<string>
}

export interface AnswerTemplateTable {
  id: string
  public_id: string
  name: string
  texts: Json
  changed_by: string
  changed_at: Timestamp
}

export interface ArticleTable {
  kind: 'news' | 'faq' | 'page'
  code: string
  category: string | null
  title: string
  summary: Generated<string>
  sections: Json
  related: Generated<string[]>
  picture: string | null
  published_at: Timestamp
  position: number
  status: Generated<PublicationStatus>
  source: string
}

export interface ArticleCategoryTable {
  kind: 'news' | 'faq'
  code: string
  name: string
  position: number
}

export interface AuditLogTable {
  id: string
  at: Timestamp
  actor: string
  request_id: string
  action: string
  subject: string
  subject_code: string
  before: Json | null
  after: Json | null
  network: Generated<string>
}

export interface AuditSealTable {
  number: Int8
  first_id: string
  last_id: string
  kept_rows: number
  kept_hash: Buffer
  people_rows: number
  people_hash: Buffer
  previous_hash: Buffer
  hash: Buffer
  sealed_at: Timestamp
  people_forgotten_at: Timestamp | null
  forgotten_at: Timestamp | null
}

export interface BankLineTable {
  id: string
  public_id: string
  statement_id: string
  fingerprint: Buffer
  booked_on: Day
  currency: string
  amount_minor: Numeric
  payer: string | null
  text: string
  reference: string | null
  account: string | null
  outcome: 'matched' | 'set_aside' | null
  note: Generated<string>
  closed_at: Timestamp | null
  closed_by: string | null
  receipt_id: string | null
}

export interface BankReceiptTable {
  id: string
  attempt_id: string
  reference: string
  currency: string
  amount_minor: Numeric
  recorded_at: Timestamp
  recorded_by: string
}

export interface BankReturnTable {
  refund_id: string
  recorded_at: Timestamp
  recorded_by: string
}

export interface BankStatementTable {
  id: string
  public_id: string
  format: 'camt053' | 'csv'
  digest: Buffer
  lines: number
  known: number
  skipped: number
  faulty: number
  imported_at: Timestamp
  imported_by: string
}

export interface BillingAddressTable {
  id: string
  public_id: string
  account_id: string
  country: string
  region: Generated<string>
  first_name: string
  surname: string
  address: string
  postal_code: Generated<string>
  is_default: Generated<boolean>
  created_at: Timestamp
  updated_at: Timestamp
}

export interface BrandTable {
  code: string
  kind: 'top_up' | 'game_card' | 'gift_card' | 'prepaid_card' | 'subscription' | 'recharge' | 'game_key'
  type: 1 | 2 | 3 | 4
  name: string
  publisher: Generated<string>
  aliases: Generated<string[]>
  game: string | null
  platforms: Generated<string[]>
  picture: string | null
  delivery: 'card_key' | 'direct_charge'
  typical_minutes: number | null
  unit: string | null
  fields: Generated<Json>
  redeem_at: string | null
  redeem_steps: Generated<string[]>
  key_format: Json | null
  validity: string | null
  recharge: Json | null
  released_year: number | null
  popularity: Generated<number>
  is_hot: Generated<boolean>
  status: Generated<PublicationStatus>
  source: string
  locked_fields: Generated<string[]>
  account_check: Generated<'none' | 'wish' | 'must'>
}

export interface BrandCategoryTable {
  brand: string
  category_id: number
}

export interface BrokenPromiseTable {
  invariant: string
  subject: string
  found_at: Timestamp
  seen_at: Timestamp
}

export interface BulkRunTable {
  id: string
  public_id: string
  act: 'cancel' | 'requeue'
  operator_id: string
  state: Generated<'waiting' | 'running' | 'done' | 'cancelled'>
  asked_at: Timestamp
  finished_at: Timestamp | null
}

export interface BulkRunOrderTable {
  run_id: string
  no: number
  order_id: string
  version: string
  state: Generated<'waiting' | 'done' | 'failed'>
  why: string | null
}

export interface CardKeyTable {
  id: string
  item: string
  batch_id: string
  pick: Generated<Int8>
  expires_on: Generated<Day>
  status: Generated<'quarantined' | 'free' | 'claimed' | 'delivered' | 'void'>
  nonce: Buffer
  ciphertext: Buffer
  wrapped_key: Buffer
  kek_id: number
  fingerprint: Buffer
  last_four: string
  unit_id: string | null
  claimed_at: Timestamp | null
  delivered_at: Timestamp | null
  revealed_at: Timestamp | null
  used_at: Timestamp | null
}

export interface CardSourceTable {
  item: string
  source: 'stock' | 'order' | 'both'
  updated_at: Timestamp
}

export interface CartLineTable {
  id: string
  public_id: string
  account_id: string
  item: string
  quantity: number
  account_fields: Generated<Json>
  fields_hash: Buffer
  seen_minor: Numeric | null
  shown_minor: Numeric | null
  seen_currency: string | null
  created_at: Timestamp
  amount_minor: Numeric | null
}

export interface CategoryTable {
  id: number
  code: string
  parent_id: number | null
  name: string
  icon: Generated<string>
  path: string
  picture: string | null
  position: number
  status: Generated<PublicationStatus>
  source: string
  locked_fields: Generated<string[]>
}

export interface CodeRedirectTable {
  kind: 'brand' | 'product' | 'game' | 'category' | 'item'
  old_code: string
  new_code: string
}

export interface CountryTable {
  code: string
  alpha3: string
  numeric_code: string
  name: string
  continent: string
  dial_code: string | null
  currency: string
  store_currency: string
  language: LanguageCode
  is_on_sale: boolean
  phone: Json | null
  position: number
}

export interface CreditDebtTable {
  account_id: string | null
  currency: string | null
  owed_minor: Numeric | null
}

export interface CreditFundingTable {
  account_id: string | null
  order_id: string | null
  attempt_id: string | null
  currency: string | null
  amount_minor: Numeric | null
}

export interface CurrencyTable {
  code: string
  numeric_code: string
  name: string
  symbol: string
  minor_units: 0 | 1 | 2 | 3 | 4
  rounding_increment: Generated<Numeric>
  rounding_mode: Generated<'half_up' | 'up'>
  margin_basis_points: Generated<number>
  is_checkout: Generated<boolean>
  position: number
  locked_fields: Generated<string[]>
}

export interface CurrencyRateTable {
  currency: string
  observed_at: Timestamp
  per_usd: Numeric
  source: string
  published_at: Timestamp | null
  quote_id: string | null
  spread_basis_points: Generated<number>
  recorded_at: Generated<Timestamp | null>
}

export interface DeliveryCheckTable {
  order_id: string
  subject: Buffer
  verdict: 'pass' | 'hold' | 'refuse'
  reasons: Generated<string[]>
  checked_at: Timestamp
  decision: 'released' | 'refused' | null
  decided_by: string | null
  decided_at: Timestamp | null
  note: string | null
}

export interface DeliveryPaceTable {
  product: string
  supplier: string | null
  deliveries: number
  p50_seconds: number
  p95_seconds: number
  now_seconds: number | null
}

export interface DeliveryTimeTable {
  brand: string
  deliveries: number
  p50_seconds: number
  p95_seconds: number
}

export interface DeliveryUseTable {
  order_id: string
  kind: 'phone' | 'player' | 'shopper'
  subject: Buffer
  units: number
  usd_minor: Numeric
  at: Timestamp
}

export interface DisputeEvidenceTable {
  id: string
  case_id: string
  provider: string
  state: 'sending' | 'sent' | 'refused'
  reference: string | null
  failure: string | null
  asked_by: string
  asked_at: Timestamp
  ended_at: Timestamp | null
}

export interface ExpansionTable {
  name: string
  hash: string
  applied_at: Generated<Timestamp>
}

export interface ExportPartTable {
  export_id: string
  part: number
  content: string | null
  bytes: Buffer | null
}

export interface ExportRunTable {
  id: string
  public_id: string
  kind: 'orders' | 'units' | 'movements' | 'vat' | 'vat_days'
  from_day: Day
  until_day: Day
  state: Generated<'waiting' | 'running' | 'done' | 'failed' | 'cancelled'>
  rows: Generated<number>
  parts: Generated<number>
  reached: string | null
  failure: string | null
  asked_by: string
  asked_at: Timestamp
  finished_at: Timestamp | null
  format: Generated<'csv' | 'xlsx'>
  is_too_long: Generated<boolean>
  sheet_crc: Generated<Int8>
  sheet_bytes: Generated<Int8>
  packed_bytes: Generated<Int8>
}

export interface FavouriteTable {
  account_id: string
  product: string
  discount: Generated<number>
  created_at: Timestamp
}

export interface FigureTable {
  span: 'hour' | 'day' | 'month'
  dimension: 'all' | 'currency' | 'method' | 'country' | 'brand' | 'supplier' | 'currency_method' | 'currency_country' | 'currency_brand' | 'currency_supplier'
  begins: Timestamp
  value: string
  begun: Generated<number>
  begun_paid: Generated<number>
  paid: Generated<number>
  units: Generated<number>
  sales_usd: Generated<Int8>
  fees_usd: Generated<Int8>
  delivered: Generated<number>
  costed: Generated<number>
  costed_usd: Generated<Int8>
  cost_usd: Generated<Int8>
  refunds: Generated<number>
  refunded_usd: Generated<Int8>
  sales_minor: Generated<Numeric>
  fees_minor: Generated<Numeric>
  refunded_minor: Generated<Numeric>
  times: number[] | null
  borne_usd: Generated<Int8>
}

export interface FigureDueTable {
  begins: Timestamp
}

export interface FigureProgressTable {
  is_only: Generated<boolean>
  time_zone: string
  reached: Timestamp
  hours_from: Timestamp
  edition: Generated<number>
}

export interface FunctionEditionTable {
  only_one: Generated<boolean>
  number: number
  hash: string
  replaced_at: Generated<Timestamp>
}

export interface FundedCreditTable {
  attempt_id: string | null
  order_id: string | null
  currency: string | null
  reversed_minor: Numeric | null
  funded_minor: Numeric | null
  reclaimed_minor: Numeric | null
}

export interface GameTable {
  code: string
  name: string
  publisher: string
  aliases: Generated<string[]>
  platforms: Generated<string[]>
  category_id: number | null
  released_year: number | null
  picture: string | null
  popularity: Generated<number>
  is_hot: Generated<boolean>
  status: Generated<PublicationStatus>
  source: string
  locked_fields: Generated<string[]>
}

export interface GoodsChangeTable {
  id: string
  public_id: string
  kind: 'inline' | 'bulk' | 'editor' | 'undo' | 'import'
  made_by: string
  made_at: Timestamp
  note: Generated<string>
  row_count: number
  undone_by: string | null
}

export interface GoodsChangeRowTable {
  change_id: string
  subject: 'brand' | 'product' | 'item' | 'game' | 'category' | 'region' | 'platform'
  code: string
  field: string
  before: Json
  after: Json
  has_locked: Generated<boolean>
}

export interface GoodsFileTable {
  id: string
  public_id: string
  kind: 'csv_in' | 'folder_in' | 'csv_out' | 'folder_out'
  state: 'uploading' | 'waiting' | 'checking' | 'checked' | 'taking' | 'done' | 'failed' | 'cancelled'
  file_name: string
  mark: '.' | ',' | null
  is_on_sale: Generated<boolean>
  operator_id: string
  bytes: Generated<Int8>
  pieces: Generated<number>
  step: Generated<number>
  steps: Generated<number>
  report: Generated<Json>
  hash: string | null
  failure: string | null
  asked_at: Timestamp
  changed_at: Timestamp
  finished_at: Timestamp | null
  token: string | null
  has_costs: Generated<boolean>
  worker: string | null
}

export interface GoodsFileFaultTable {
  file_id: string
  no: number
  line: number | null
  place: string
  shown: string
  reason: string | null
  why: string | null
}

export interface GoodsFilePieceTable {
  file_id: string
  no: number
  content: Buffer
}

export interface GuideStepTable {
  step: 'owner' | 'identity' | 'places' | 'goods' | 'keys' | 'pay' | 'mail' | 'look' | 'guide'
  choice: 'skipped' | 'done' | 'left' | 'dismissed'
  chosen_at: Timestamp
}

export interface IdempotencyKeyTable {
  account_id: string
  key: string
  call: string
  request_hash: Buffer
  status: number | null
  answer: Json | null
  created_at: Timestamp
}

export interface InvariantOfBooksTable {
  invariant: string | null
  subject: string | null
}

export interface InvariantOfOrderTable {
  invariant: string | null
  subject: string | null
  order_id: string | null
}

export interface InvariantViolationTable {
  invariant: string | null
  subject: string | null
}

export interface ItemTable {
  id: string
  code: string
  product: string
  kind: 'pack' | 'pass' | 'membership' | 'bundle' | 'value' | 'plan' | 'edition' | 'airtime' | 'data'
  name: string
  units: Int8 | null
  bonus: Int8 | null
  days: number | null
  data_mb: number | null
  face_minor: Numeric | null
  price_minor: Numeric
  price_currency: string
  market_minor: Numeric | null
  cost_minor: Numeric | null
  cost_currency: string | null
  stock: number | null
  sold: Generated<Int8>
  buyer_countries: string[] | null
  blocked_countries: Generated<string[]>
  position: number
  status: Generated<PublicationStatus>
  source: string
  source_reference: string | null
  locked_fields: Generated<string[]>
  updated_at: Timestamp
  own_prices: Generated<Json>
  face_min_minor: Numeric | null
  face_max_minor: Numeric | null
  face_step_minor: Numeric | null
}

export interface ItemLevelPriceTable {
  item: string
  level: number
  price_minor: Numeric
  price_currency: string
}

export interface ItemRouteTable {
  item: string
  rule: string[] | null
  loss_basis_points: number | null
  updated_at: Timestamp
}

export interface KeyAccessTable {
  id: string
  key_id: string
  actor: string
  purpose: 'reveal' | 'export' | 'picture' | 'check'
  network: Generated<string>
  request_id: string
  at: Timestamp
}

export interface KeyBatchTable {
  id: string
  item: string
  file_name: string
  imported: number
  duplicates: number
  refused: number
  created_at: Timestamp
  created_by: string
  withdrawn_at: Timestamp | null
  withdrawn_by: string | null
  supplier: string | null
  cost_minor: Numeric | null
  cost_currency: string | null
}

export interface KeyBatchLevelTable {
  batch_id: string
  item: string
  free: number
  claimed: number
  delivered: number
  quarantined: number
  void: number
  updated_at: Timestamp
}

export interface KeyEncryptionKeyTable {
  id: number
  check_value: Buffer
  created_at: Timestamp
  retired_at: Timestamp | null
  active_at: Timestamp | null
}

export interface KeyExportTable {
  id: string
  public_id: string
  batch_id: string
  item: string
  reason: string
  asked: number
  state: 'waiting' | 'making' | 'ready' | 'taken' | 'refused' | 'failed' | 'ended'
  keys: Generated<number>
  pieces: Generated<number>
  reached: string | null
  wrapped_key: Buffer | null
  kek_id: number | null
  asked_by: string
  asked_at: Timestamp
  approved_by: string | null
  request_id: string
  ready_at: Timestamp | null
  changed_at: Timestamp
}

export interface KeyExportPieceTable {
  export_id: string
  no: number
  nonce: Buffer
  ciphertext: Buffer
}

export interface KeyImportTable {
  id: string
  item: string
  status: 'uploading' | 'checking' | 'checked' | 'waiting' | 'taking' | 'done' | 'cancelled' | 'failed'
  file_name: string
  supplier: string | null
  cost_minor: Numeric | null
  cost_currency: string | null
  expires_on: Day | null
  wrapped_key: Buffer | null
  kek_id: number | null
  bytes: Generated<Int8>
  lines: Generated<number>
  chunks: Generated<number>
  checked_chunks: Generated<number>
  checked_lines: Generated<number>
  fresh: Generated<number>
  known: Generated<number>
  doubled: Generated<number>
  malformed: Generated<number>
  expired: Generated<number>
  taken_chunks: Generated<number>
  taken_lines: Generated<number>
  taken: Generated<number>
  skipped: Generated<number>
  batch_id: string | null
  usd_minor: Numeric | null
  taken_by: string | null
  taken_at: Timestamp | null
  approved_by: string | null
  created_at: Timestamp
  created_by: string
  updated_at: Timestamp
  request_id: string
}

export interface KeyImportChunkTable {
  import_id: string
  no: number
  first_line: number
  lines: number
  nonce: Buffer
  ciphertext: Buffer
}

export interface KeyImportFaultTable {
  import_id: string
  line: number
  fault: 'columns' | 'part' | 'date' | 'expired' | 'too_long' | 'known' | 'doubled'
  part: string | null
  same_as: number | null
}

export interface KeyReplacementTable {
  old_key_id: string
  new_key_id: string
  unit_id: string
  reason: string
  replaced_by: string
  replaced_at: Timestamp
}

export interface KeySaleDayTable {
  item: string
  day: Day
  sold: number
}

export interface KeyShelfTable {
  item: string
  low_days: number | null
  version: Generated<number>
  free: number
  quarantined: number
  expiring: number
  sold: number
  cover_hours: number
  is_low: boolean
  updated_at: Timestamp
}

export interface KnownDeviceTable {
  account_id: string
  fingerprint: Buffer
  seen_at: Timestamp
}

export interface LedgerAccountTable {
  id: ColumnType<number, never, never>
  code: string
  currency: string
  balance_minor: Numeric | null
}

export interface LedgerClosingTable {
  day: Day
  begins: Timestamp
  ends: Timestamp
  transfers: number
  closed_at: Timestamp
}

export interface LedgerDayTable {
  day: Day
  account: string
  currency: string
  debit_minor: Numeric
  credit_minor: Numeric
  balance_minor: Numeric
}

export interface LedgerTransferTable {
  id: string
  source: string
  source_id: string
  leg: Generated<number>
  debit: number
  credit: number
  currency: string
  amount_minor: Numeric
  at: Timestamp
  account_id: string | null
}

export interface LinePlayerTable {
  line_id: string
  name: string
}

export interface LinkedIdentityTable {
  id: string
  account_id: string
  platform: string
  issuer: string
  subject: string
  display_name: Generated<string>
  linked_at: Timestamp
}

export interface ListColumnsTable {
  operator_id: string
  list: string
  columns: string[]
}

export interface MarginRuleTable {
  id: string
  brand: string | null
  supplier: string | null
  region: string | null
  currency: string | null
  basis_points: number
  valid_from: Timestamp
  valid_until: Timestamp | null
  created_at: Timestamp
  created_by: string
  ended_by: string | null
}

export interface MigrationTable {
  name: string
  hash: string
  applied_at: Generated<Timestamp>
}

export interface NoticeTable {
  id: string
  public_id: string
  account_id: string
  kind: string
  params: Generated<Json>
  created_at: Timestamp
  read_at: Timestamp | null
}

export interface OperatorTable {
  id: string
  name: string
  role: string
  status: Generated<'active' | 'disabled'>
  password_hash: string
  created_at: Timestamp
  updated_at: Timestamp
  created_by: string | null
  password_set_by: string | null
  password_set_at: Timestamp | null
  email: string | null
  display_name: string | null
  language: Generated<LanguageCode>
  theme: Generated<'system' | 'light' | 'dark'>
  handle: string | null
  disabled_at: Timestamp | null
}

export interface OperatorActTable {
  id: string
  public_id: string
  kind: 'refund' | 'case' | 'held_money' | 'unit_failure' | 'store_credit' | 'bank_receipt' | 'bank_return' | 'stray_return' | 'stray_close' | 'difference_book' | 'difference_close' | 'hold_release' | 'staff_invite' | 'staff_role' | 'role_change' | 'factor_reset' | 'replacement' | 'doubt_failure' | 'hand_delivery' | 'key_import' | 'payment_service' | 'payment_method' | 'key_export' | 'late_accept' | 'short_accept' | 'stray_match' | 'price_change' | 'supplier_service' | 'shop_setting' | 'legal_text'
  permission: 'order.refund' | 'shopper.credit' | 'payment.note' | 'order.decide' | 'staff.manage' | 'order.deliver' | 'key.import' | 'payment.settings' | 'price.change' | 'supplier.change' | 'shop.manage'
  status: 'given' | 'waiting' | 'approved' | 'refused' | 'ended'
  subject: string
  account_id: string | null
  order_id: string | null
  currency: string | null
  amount_minor: Numeric
  usd_minor: Numeric | null
  details: Generated<Json>
  asked_by: string
  asked_at: Timestamp
  ends_at: Timestamp | null
  decided_by: string | null
  decided_at: Timestamp | null
  reason: Generated<string>
  request_id: string
  counted_minor: Numeric | null
  counted_currency: string | null
}

export interface OperatorAnswerTable {
  operator: string
  key: string
  call: string
  request_hash: Buffer
  answer: Json
  created_at: Timestamp
}

export interface OperatorFactorResetTable {
  id: string
  public_id: string
  operator_id: string
  state: 'reported' | 'asked' | 'delayed' | 'done' | 'stopped'
  created_at: Timestamp
  asked_by: string | null
  due_at: Timestamp | null
  ended_at: Timestamp | null
  ended_by: string | null
}

export interface OperatorInvitationTable {
  id: string
  public_id: string
  name: string
  display_name: string | null
  email: string
  role: string
  language: LanguageCode
  invited_by: string
  waits: boolean
  created_at: Timestamp
  expires_at: Timestamp
  accepted_at: Timestamp | null
  withdrawn_at: Timestamp | null
}

export interface OperatorPasskeyTable {
  id: string
  public_id: string
  operator_id: string
  name: string
  credential_id: Buffer
  public_key: Buffer
  counter: Int8
  transports: Generated<string[]>
  is_backed_up: boolean
  created_at: Timestamp
  used_at: Timestamp | null
}

export interface OperatorProofTable {
  session_id: string
  kind: 'key' | 'personal' | 'payment' | 'staff' | 'access'
  proved_at: Timestamp
}

export interface OperatorRecoveryCodeTable {
  operator_id: string
  code_hash: Buffer
  used_at: Timestamp | null
}

export interface OperatorRoleTable {
  code: string
  is_own: boolean
  name: string | null
  permissions: string[] | null
  limits: Generated<Json>
  version: Generated<number>
  limit_currency: Generated<string>
  price_limit: Generated<number | null>
}

export interface OperatorSessionTable {
  id: string
  public_id: string
  operator_id: string
  token_hash: Buffer
  browser: string
  system: string
  network: string
  factor: 'none' | 'totp' | 'recovery' | 'passkey'
  created_at: Timestamp
  seen_at: Timestamp
  expires_at: Timestamp
}

export interface OperatorTicketTable {
  id: string
  purpose: 'factor' | 'enrol' | 'passkey'
  operator_id: string | null
  digest: Buffer
  tries: Generated<0 | 1 | 2 | 3 | 4 | 5>
  data: Generated<Json>
  created_at: Timestamp
  expires_at: Timestamp
  used_at: Timestamp | null
}

export interface OperatorTokenTable {
  id: string
  operator_id: string
  digest: Buffer
  label: string
  created_at: Timestamp
  expires_at: Timestamp
  last_used_at: Timestamp | null
  ended_at: Timestamp | null
  permissions: string[] | null
}

export interface OperatorTotpTable {
  operator_id: string
  sealed_seed: Buffer
  confirmed_at: Timestamp | null
  last_step: Generated<Int8>
}

export interface OrderEventTable {
  id: string
  seq: ColumnType<Int8, never, never>
  order_id: string
  at: Timestamp
  actor: string
  request_id: string
  from_status: string | null
  to_status: string
  reason: string
  details: Generated<Json>
  is_to_tell: Generated<boolean>
}

export interface OrderFactsTable {
  id: string | null
  status: string | null
  total_minor: Numeric | null
  captured_minor: Numeric | null
  refunded_minor: Numeric | null
  hold: string | null
  ended: string | null
  is_settled: boolean | null
  is_payment_open: boolean | null
  is_refund_open: boolean | null
  queued: number | null
  delivering: number | null
  in_doubt: number | null
  delivered: number | null
  failed: number | null
  refund_due: number | null
  refunded: number | null
  released: number | null
}

export interface OrderLabelTable {
  id: string | null
  status: string | null
  label: string | null
}

export interface OrderLineTable {
  id: string
  order_id: string
  position: number
  item: string | null
  item_code: string
  product: string
  goods_type: 0 | 1 | 2 | 3 | 4
  delivery: 'card_key' | 'direct_charge' | 'store_credit'
  product_name: string
  item_name: string
  quantity: number
  price_minor: Numeric
  base_minor: Numeric
  base_currency: string
  account_fields: Generated<Json>
  amount_minor: Numeric | null
  amount_currency: string | null
  price_steps: Json | null
  tax_class: 'single_purpose' | 'multi_purpose' | 'service' | 'none' | null
  tax_basis_points: number | null
  tax_minor: Numeric | null
}

export interface OrderLookerTable {
  order_id: string
  operator_id: string
  seen_at: Timestamp
}

export interface OrderNoteTable {
  id: string
  public_id: string
  order_id: string
  author: string
  text: string
  created_at: Timestamp
}

export interface OrderUnitTable {
  id: string
  public_id: string
  order_id: string
  line_id: string
  unit_no: number
  item: string | null
  delivery: 'card_key' | 'direct_charge' | 'store_credit'
  status: Generated<'queued' | 'delivering' | 'in_doubt' | 'needs_input' | 'delivered' | 'failed' | 'refund_due' | 'refunded' | 'released'>
  price_minor: Numeric
  delivered_at: Timestamp | null
  claimed_by: string | null
  claimed_until: Timestamp | null
  proof: string | null
  input_until: Timestamp | null
  to_order: Generated<boolean>
}

export interface OrderViewTable {
  id: string
  public_id: string
  operator_id: string
  name: string
  filters: Json
  created_at: Timestamp
}

export interface OutgoingMailTable {
  id: string
  kind: string
  account_id: string | null
  recipient: string | null
  language: LanguageCode
  params: Generated<Json>
  created_at: Timestamp
  sent_at: Timestamp | null
  job_key: string | null
}

export interface OutgoingSmsTable {
  id: string
  account_id: string
  mobile: string | null
  language: LanguageCode
  created_at: Timestamp
  attempted_at: Timestamp | null
  sent_at: Timestamp | null
}

export interface PageCountTable {
  day: Day
  pages: Generated<Int8>
}

export interface PageReadTable {
  actor: string
  token: string
  call: string
  hour: Timestamp
  calls: number
  rows: Int8
}

export interface PasskeyTable {
  id: string
  public_id: string
  account_id: string
  credential_id: Buffer
  public_key: Buffer
  counter: Int8
  transports: Generated<string[]>
  name: string
  is_backed_up: boolean
  created_at: Timestamp
  used_at: Timestamp | null
}

export interface PaymentAttemptTable {
  id: string
  public_id: string
  order_id: string
  provider: string
  method: string
  status: Generated<'created' | 'requires_action' | 'seen' | 'authorised' | 'captured' | 'failed' | 'voided' | 'expired'>
  currency: string
  amount_minor: Numeric
  fee_minor: Generated<Numeric>
  provider_reference: string | null
  redirect_url: string | null
  captured_minor: Generated<Numeric>
  captured_currency: string | null
  captures: Generated<number>
  refunded_minor: Generated<Numeric>
  reversed_minor: Generated<Numeric>
  is_applied: Generated<boolean>
  failure: string | null
  check_at: Timestamp | null
  checks: Generated<number>
  created_at: Timestamp
  updated_at: Timestamp
  is_disputed: Generated<boolean>
}

export interface PaymentDifferenceTable {
  id: string
  public_id: string
  attempt_id: string
  kind: 'refunded_elsewhere' | 'captured_less' | 'not_comparable'
  currency: string
  told_minor: Numeric
  known_minor: Numeric
  found_at: Timestamp
  outcome: 'booked' | 'seen_to' | 'gone' | null
  note: Generated<string>
  closed_at: Timestamp | null
  closed_by: string | null
}

export interface PaymentServiceTable {
  code: string
  sealed: Buffer | null
  version: number
  tried: 'good' | 'refused' | 'unknown'
  set_by: string
  set_at: Timestamp
  account_id: string | null
  account_name: string | null
  account_version: number | null
}

export interface PaymentServiceDraftTable {
  code: string
  sealed: Buffer | null
  tried: 'good' | 'refused' | 'unknown'
  made_at: Timestamp
}

export interface PaymentServiceFormerTable {
  code: string
  version: number
  sealed: Buffer
  account_id: string | null
  account_name: string | null
  replaced_at: Timestamp
}

export interface PictureTable {
  code: string
  kind: 'cover' | 'file'
  recipe: Json | null
  path: string | null
  design: Json | null
  short: string | null
  crop: Json | null
}

export interface PlatformTable {
  code: string
  name: string
  position: number
  locked_fields: Generated<string[]>
}

export interface PriceEffectTable {
  id: string
  actor: string
  happened_at: Timestamp
  prices: string[]
}

export interface PriceEffectItemTable {
  effect_id: string
  item_id: string
  moves: number[]
}

export interface PriceInputTable {
  id: ColumnType<Int8, never, never>
  recorded_at: Generated<Timestamp>
  kind: 'item' | 'cost' | 'level_price' | 'currency' | 'setting'
  subject: string
  value: Json | null
}

export interface ProductTable {
  code: string
  brand: string
  region: string
  region_name: string | null
  countries: string[] | null
  lock: Generated<'country' | 'currency' | 'zone' | 'none'>
  lock_note: Generated<string>
  face_currency: string | null
  face_min_minor: Numeric | null
  face_max_minor: Numeric | null
  picture: string | null
  position: number
  status: Generated<PublicationStatus>
  source: string
  locked_fields: Generated<string[]>
  min_age: number | null
  typical_minutes: number | null
  seo_title: string | null
  seo_description: string | null
}

export interface ProgramKeyTable {
  is_only: Generated<boolean>
  check_value: Buffer
  noted_at: Timestamp
}

export interface PromiseLookTable {
  name: 'changed' | 'everything'
  position: string | null
  looked_at: Timestamp
  ended_at: Timestamp | null
}

export interface ProviderBalanceTable {
  provider: string
  currency: string
  available_minor: Int8
  told_at: Timestamp
}

export interface ProviderEventTable {
  provider: string
  event_id: string
  kind: string
  provider_reference: string | null
  body: Buffer
  received_at: Timestamp
  taken_until: Timestamp | null
  processed_at: Timestamp | null
  outcome: string | null
  due_at: Generated<Timestamp>
  tries: Generated<number>
  request_id: string | null
}

export interface ProviderStandingTable {
  provider: string
  begun_day: number
  paid_day: number
  begun_week: number
  paid_week: number
  counted_at: Timestamp
}

export interface PurchaseTable {
  id: string
  reference: string
  supplier: string
  supplier_id: string | null
  order_id: string
  item: string
  status: Generated<'prepared' | 'accepted' | 'unknown' | 'doubt' | 'done' | 'failed' | 'late' | 'reversed'>
  kind: 'topup' | 'recharge' | 'data' | 'giftcard' | 'key' | 'voucher'
  product: string
  quantity: number
  face_minor: Numeric | null
  face_currency: string | null
  fields: Generated<Json>
  currency: string
  expected_minor: Numeric
  max_minor: Numeric
  actual_minor: Numeric | null
  failure_class: 'customer' | 'wait' | 'ours' | 'price' | 'stock' | 'supplier' | null
  failure_code: string | null
  told: string | null
  why: Json
  asked: Generated<number>
  next_ask_at: Timestamp | null
  request_id: string
  created_at: Timestamp
  updated_at: Timestamp
  ended_at: Timestamp | null
}

export interface PurchaseUnitTable {
  purchase_id: string
  unit_id: string
  is_live: Generated<boolean>
  is_done: Generated<boolean>
}

export interface RateLimitTable {
  key: Buffer
  used_up_to: Timestamp
}

export interface RateQuoteTable {
  id: string
  source: string
  currency: string
  published_at: Timestamp
  fetched_at: Timestamp
  base: string
  per_base: Numeric
  usd_per_base: Numeric
  state: Generated<'usable' | 'held' | 'accepted' | 'refused' | 'superseded'>
  decided_at: Timestamp | null
  decided_by: string | null
}

export interface ReconciliationTable {
  provider: string
  reached_at: Timestamp
}

export interface ReconciliationFailureTable {
  provider: string
  reference: string
  tries: number
  failure: string
  failed_at: Timestamp
}

export interface RecoveryCodeTable {
  account_id: string
  code_hash: Buffer
  used_at: Timestamp | null
}

export interface RefundTable {
  id: string
  public_id: string
  order_id: string
  attempt_id: string
  purpose: 'goods' | 'surplus' | 'reversal'
  destination: 'original' | 'store_credit'
  status: Generated<'requested' | 'approved' | 'submitted' | 'unknown' | 'succeeded' | 'failed' | 'rejected'>
  currency: string
  amount_minor: Numeric
  fee_minor: Generated<Numeric>
  reason: string
  requested_by: string
  approved_by: string | null
  provider: string
  provider_reference: string | null
  failure: string | null
  check_at: Timestamp | null
  checks: Generated<number>
  created_at: Timestamp
  updated_at: Timestamp
  request_id: string | null
  rest_minor: Generated<Numeric>
}

export interface RefundPartTable {
  refund_id: string
  of_refund_id: string
}

export interface RefundUnitTable {
  refund_id: string
  unit_id: string
}

export interface RegionTable {
  code: string
  name: string
  position: number
  locked_fields: Generated<string[]>
}

export interface ReportMailTable {
  report_id: string
  operator_id: string
  rhythm: 'daily' | 'weekly' | 'monthly'
  next_at: Timestamp
  sent_at: Timestamp | null
}

export interface ResellerKeyTable {
  id: string
  public_id: string
  account_id: string
  name: string
  scopes: string[]
  salt: Buffer
  former_salt: Buffer | null
  former_until: Timestamp | null
  order_max_minor: Numeric
  day_max_minor: Numeric
  agent_max_minor: Numeric | null
  networks: Generated<string[]>
  contract: string
  created_at: Timestamp
  created_by: string
  last_used_at: Timestamp | null
  revoked_at: Timestamp | null
}

export interface ResellerNonceTable {
  key_id: string
  nonce: string
  at: Timestamp
}

export interface ResellerOrderTable {
  id: string
  account_id: string
  key_id: string
  reference: string
  request_hash: Buffer
  currency: string
  amount_minor: Numeric
  usd_minor: Numeric
  state: Generated<'open' | 'placed' | 'refused'>
  refusal: string | null
  order_id: string | null
  created_at: Timestamp
}

export interface ResellerTestDeliveryTable {
  id: string
  public_id: string
  key_id: string
  order_id: string
  order_status: string
  state: Generated<'waiting' | 'delivered' | 'given_up'>
  attempts: Generated<number>
  due_at: Timestamp
  answer: string | null
  created_at: Timestamp
  ended_at: Timestamp | null
}

export interface ResellerTestKeyTable {
  id: string
  public_id: string
  account_id: string
  name: string
  salt: Buffer
  order_max_minor: Numeric
  day_max_minor: Numeric
  webhook_url: string | null
  last_attempt_at: Timestamp | null
  created_at: Timestamp
  created_by: string
  revoked_at: Timestamp | null
}

export interface ResellerTestOrderTable {
  id: string
  public_id: string
  account_id: string
  key_id: string
  reference: string
  request_hash: Buffer
  currency: string
  usd_minor: Numeric
  lines: Json
  refusal: string | null
  created_at: Timestamp
}

export interface ReviewTable {
  id: Int8
  brand: string
  language: LanguageCode
  country: string | null
  rating: 1 | 2 | 3 | 4 | 5
  text: string
  nickname: string
  helpful: Generated<number>
  published_at: Timestamp
  status: Generated<PublicationStatus>
  source: string
  account_id: string | null
  order_id: string | null
  answer: string | null
  answered_at: Timestamp | null
  looked_at: Timestamp | null
}

export interface RunningProcessTable {
  id: string
  kind: 'web' | 'worker'
  started_at: Timestamp
  seen_at: Timestamp
  clock_skew_ms: Int8
  disk_low: string | null
}

export interface SaleStopTable {
  id: string
  kind: 'shop' | 'product' | 'shelf' | 'supplier' | 'method'
  code: string
  reason: string
  stopped_by: string
  stopped_at: Timestamp
  ended_by: string | null
  ended_at: Timestamp | null
}

export interface SalesInvoiceTable {
  id: string
  public_id: string
  kind: 'invoice' | 'credit_note'
  order_id: string
  refund_id: string | null
  series: string
  year: number
  number: number
  issued_at: Timestamp
  currency: string
  gross_minor: Numeric
  tax_minor: Numeric
  content: Json
  buyer: Json | null
  keep_until: Day
}

export interface SalesInvoiceSeriesTable {
  series: string
  year: number
  last: number
}

export interface SavedAccountTable {
  id: string
  public_id: string
  account_id: string
  field_set: string
  label: string
  fields: Json
  fields_hash: Buffer
  created_at: Timestamp
}

export interface SavedReportTable {
  id: string
  public_id: string
  operator_id: string
  name: string
  report: string
  choice: string
  is_shared: Generated<boolean>
  version: Generated<number>
  created_at: Timestamp
  updated_at: Timestamp
}

export interface ScreeningCheckTable {
  id: string
  account_id: string
  subject: Buffer
  state: 'asked' | 'clear' | 'match'
  matches: Generated<string[]>
  tries: Generated<number>
  fault: string | null
  wanted_at: Timestamp
  next_at: Timestamp | null
  answered_at: Timestamp | null
}

export interface ScreeningEntryTable {
  list: string
  position: number
  reference: string
  name_key: string | null
  email: string | null
}

export interface SearchMissTable {
  day: Day
  words: string
  searches: number
}

export interface SecondFactorTable {
  account_id: string
  sealed_seed: Buffer
  confirmed_at: Timestamp | null
  last_step: Generated<Int8>
}

export interface ServiceCaseTable {
  id: string
  public_id: string
  kind: 'refund_request' | 'faulty_key' | 'dispute'
  order_id: string
  account_id: string
  reason: 'not_delivered' | 'code_invalid' | 'code_used' | 'wrong_goods' | 'mistake' | 'other' | 'disputed'
  text: Generated<string>
  picture: string | null
  destination: Generated<'original' | 'store_credit'>
  status: Generated<'open' | 'accepted' | 'declined' | 'withdrawn'>
  decided_by: string | null
  note: Generated<string>
  created_at: Timestamp
  decided_at: Timestamp | null
  claimed_by: string | null
  claimed_at: Timestamp | null
  due_at: Timestamp | null
}

export interface ServiceCaseUnitTable {
  case_id: string
  unit_id: string
  is_open: Generated<boolean>
}

export interface SessionTable {
  id: string
  public_id: string
  account_id: string
  token_hash: Buffer
  handle_hash: Buffer
  browser: string
  system: string
  network: string
  created_at: Timestamp
  seen_at: Timestamp
  expires_at: Timestamp
  proved_at: Timestamp
  handle_seen_at: Timestamp
}

export interface SettingTable {
  key: string
  value: Json
}

export interface ShopImageTable {
  hash: string
  content: Buffer
  width: number
  height: number
  sent_at: Timestamp
}

export interface ShopOrderTable {
  id: string
  public_id: string
  number: string
  account_id: string
  request_key: string
  request_hash: Buffer
  status: Generated<'pending_payment' | 'waiting_for_payment' | 'waiting_for_shipment' | 'shipping' | 'processing' | 'cancelled' | 'refunded' | 'expired' | 'completed'>
  currency: string
  goods_minor: Numeric
  fee_minor: Generated<Numeric>
  total_minor: Numeric
  tax_minor: Generated<Numeric>
  tax_basis_points: Generated<number>
  captured_minor: Generated<Numeric>
  refunded_minor: Generated<Numeric>
  hold: 'late' | 'underpaid' | 'wrong_currency' | 'out_of_stock' | 'disputed' | 'risk' | 'refund_requested' | null
  ended: 'cancelled' | 'expired' | null
  settled_at: Timestamp | null
  pricing: Json
  language: LanguageCode
  country: string | null
  evidence: Generated<Json>
  terms_version: string
  waived_at: Timestamp | null
  expires_at: Timestamp
  created_at: Timestamp
  updated_at: Timestamp
  has_cards: Generated<boolean>
  has_charging: Generated<boolean>
  has_claims: Generated<boolean>
  cards_delivered: Generated<number>
  from_cart: Generated<boolean>
  shortfall_minor: Generated<Numeric>
}

export interface ShopperNoteTable {
  id: string
  public_id: string
  account_id: string
  author: string
  text: string
  created_at: Timestamp
}

export interface SignInGuardTable {
  key: Buffer
  failures: number
  failed_at: Timestamp
  blocked_until: Timestamp | null
}

export interface StarterGoodsTable {
  id: string
  public_id: string
  operator_id: string
  kinds: string[]
  is_on_sale: boolean
  state: 'waiting' | 'taking' | 'done' | 'failed'
  step: Generated<number>
  steps: number
  failure: string | null
  asked_at: Timestamp
  finished_at: Timestamp | null
}

export interface StockChangeTable {
  item: string
  free: number
  sold: number
  batch_id: string | null
  claimed: Generated<number>
  quarantined: Generated<number>
  voided: Generated<number>
}

export interface StockLevelTable {
  item: string
  free: Int8
  sold: Int8
  updated_at: Timestamp
  is_to_order: Generated<boolean>
}

export interface StoppedItemTable {
  item: string | null
}

export interface StrayPaymentTable {
  id: string
  public_id: string
  provider: string
  provider_reference: string
  our_reference: string
  currency: string
  amount_minor: Numeric
  found_at: Timestamp
  outcome: 'returned' | 'seen_to' | 'matched' | null
  note: Generated<string>
  closed_at: Timestamp | null
  closed_by: string | null
  attempt_id: string | null
}

export interface SupplierTable {
  code: string
  status: Generated<'on' | 'off'>
  failures: Generated<number>
  rests_until: Timestamp | null
  rests_for: 'trouble' | 'ours' | null
  rests_code: string | null
  created_at: Timestamp
  p50_ms: number | null
  noticed_at: Timestamp | null
}

export interface SupplierBalanceTable {
  supplier: string
  currency: string
  available_minor: Numeric
  asked_at: Timestamp
}

export interface SupplierBalanceReadingTable {
  supplier: string
  currency: string
  at: Timestamp
  available_minor: Numeric
  booked_minor: Numeric
}

export interface SupplierCommissionTable {
  id: string
  supplier: string
  currency: string
  amount_minor: Numeric
  reference: string
  recorded_by: string
  recorded_at: Timestamp
}

export interface SupplierDepositTable {
  id: string
  supplier: string
  currency: string
  amount_minor: Numeric
  fee_minor: Generated<Numeric>
  reference: string
  recorded_by: string
  recorded_at: Timestamp
  paid_minor: Numeric | null
  paid_currency: string | null
}

export interface SupplierInvoiceTable {
  id: string
  supplier: string
  kind: 'invoice' | 'credit_note'
  number: string
  currency: string
  amount_minor: Numeric
  from_on: Day
  until_on: Day
  recorded_by: string
  recorded_at: Timestamp
  closed_at: Timestamp | null
  closed_by: string | null
  note: string | null
}

export interface SupplierOfferTable {
  item: string
  supplier: string
  priority: Generated<number>
  is_on: Generated<boolean>
  kind: 'topup' | 'recharge' | 'data' | 'giftcard' | 'key' | 'voucher'
  product: string
  face_minor: Numeric | null
  face_currency: string | null
  cost_minor: Numeric
  cost_currency: string
  fields: Generated<Json>
  fixed: Generated<Json>
  updated_at: Timestamp
}

export interface SupplierProductTable {
  supplier: string
  product: string
  face: Generated<string>
  kind: string
  name: string
  brand: string | null
  country: string | null
  cost_minor: Numeric | null
  cost_currency: string | null
  stock: number | null
  item: string | null
  matched_by: 'hand' | 'id' | 'name' | 'draft' | null
  score: number | null
  status: 'mapped' | 'draft' | 'unmatched' | 'excluded' | 'gone'
  sync_cost: Generated<'follow' | 'once' | 'never'>
  sync_stock: Generated<'follow' | 'once' | 'never'>
  sync_name: Generated<'follow' | 'once' | 'never'>
  sync_faces: Generated<'follow' | 'once' | 'never'>
  is_locked: Generated<boolean>
  took_off: Generated<boolean>
  held_minor: Numeric | null
  held_currency: string | null
  held_at: Timestamp | null
  first_seen_at: Timestamp
  seen_at: Timestamp
  range_min_minor: Numeric | null
  range_max_minor: Numeric | null
  range_step_minor: Numeric | null
  range_currency: string | null
  buyer_countries: string[] | null
  blocked_countries: Generated<string[]>
  min_age: number | null
  sync_limits: Generated<'follow' | 'once' | 'never'>
  refused_minor: Numeric | null
  refused_currency: string | null
}

export interface SupplierServiceTable {
  code: string
  sealed: Buffer | null
  version: number
  tried: 'good' | 'refused' | 'unknown'
  account_id: string | null
  set_by: string
  set_at: Timestamp
}

export interface SupplierServiceDraftTable {
  code: string
  sealed: Buffer | null
  tried: 'good' | 'refused' | 'unknown'
  made_at: Timestamp
}

export interface SupplierUsageTable {
  id: string
  supplier: string
  currency: string
  paid_currency: string
  used_until: Timestamp
  used_minor: Numeric
  average_minor: Numeric
  rate_minor: Numeric
  booked_at: Timestamp
}

export interface SupplyCaseTable {
  id: string
  purchase_id: string
  kind: 'late' | 'reversed' | 'cost' | 'known'
  opened_at: Timestamp
  closed_at: Timestamp | null
  closed_by: string | null
  note: string | null
}

export interface SupplyComparisonTable {
  supplier: string
  compared_to: Timestamp
  finished_at: Timestamp
  told: number
}

export interface SupplyDifferenceTable {
  id: string
  supplier: string
  kind: 'missing_here' | 'missing_there' | 'amount' | 'state'
  purchase_id: string | null
  their_id: string | null
  their_reference: string | null
  our_status: string | null
  their_status: string | null
  currency: string | null
  our_minor: Numeric | null
  their_minor: Numeric | null
  their_at: Timestamp | null
  found_at: Timestamp
  closed_at: Timestamp | null
  closed_by: string | null
  note: string | null
}

export interface SupplyQueueTable {
  unit_id: string
  supplier: string
  due_at: Timestamp
  rank_at: Timestamp
  turn: number
  taken_until: Generated<Timestamp>
  held: 'price' | 'known' | null
  is_allowed: Generated<boolean>
  allowed_minor: Numeric | null
  allowed_currency: string | null
}

export interface SupplyScheduleTable {
  supplier: string
  every_seconds: number
  next_at: Timestamp
  failures: Generated<number>
  set_by: string
  set_at: Timestamp
}

export interface SupplySyncRunTable {
  id: string
  supplier: string
  started_by: string
  began_at: Timestamp
  seen_at: Timestamp
  ended_at: Timestamp | null
  outcome: 'done' | 'failed' | 'refused' | 'lost' | null
  error: string | null
  report: Json | null
  is_dry: Generated<boolean>
  read_count: Generated<number>
}

export interface SupplySyncWishTable {
  supplier: string
  asked_by: string
  asked_at: Timestamp
  is_dry: boolean
  applies_jumps: boolean
}

export interface SweepTable {
  name: string
  begun_at: Timestamp | null
  finished_at: Timestamp | null
  duration_ms: number | null
  error: string | null
  failures: Generated<number>
  wanted_at: Timestamp | null
  leased_by: string | null
  leased_until: Timestamp | null
}

export interface SystemCheckTable {
  subject: string
  place: number
  problems: string[]
  work: string[]
  note: string
  looked_at: Timestamp
}

export interface TallyTable {
  span: 'day' | 'month'
  subject: 'purchase' | 'key_bought' | 'key_sold' | 'tax'
  begins: Timestamp
  value: string
  currency: string
  done: Generated<number>
  failed: Generated<number>
  minor: Generated<Numeric>
  part_minor: Generated<Numeric>
  usd: Generated<Int8>
  part_usd: Generated<Int8>
  times: number[] | null
}

export interface TallyDueTable {
  begins: Timestamp
}

export interface TallyMonthTable {
  begins: Timestamp
}

export interface TallyProgressTable {
  is_only: Generated<boolean>
  time_zone: string
  reached: Timestamp
  edition: number
}

export interface TaxBookingTable {
  id: string
  order_id: string
  refund_id: string | null
  kind: 'sale' | 'refund' | 'returned'
  at: Timestamp
  country: string | null
  class: 'single_purpose' | 'multi_purpose' | 'service' | 'none'
  basis_points: number
  currency: string
  gross_minor: Numeric
  tax_minor: Numeric
}

export interface TaxClassTable {
  id: string
  product: string | null
  country: string | null
  class: 'single_purpose' | 'multi_purpose' | 'service' | 'none' | null
  set_by: string
  set_at: Timestamp
}

export interface TaxDueTable {
  id: ColumnType<Int8, never, never>
  order_id: string
  refund_id: string | null
  kind: 'sale' | 'refund' | 'returned'
  at: Timestamp
}

export interface TaxRateTable {
  id: string
  country: string
  class: 'single_purpose' | 'service'
  basis_points: number
  valid_from: Timestamp
  set_by: string
  set_at: Timestamp
}

export interface TextOverrideTable {
  language: LanguageCode
  key: string
  text: string
  original_hash: string
  made_by: string
  made_at: Timestamp
}

export interface TransitionRuleTable {
  machine: string
  from_status: string
  to_status: string
}

export interface TranslationTable {
  subject: 'brand' | 'game' | 'category' | 'unit' | 'region' | 'country' | 'currency' | 'platform' | 'article_category' | 'article' | 'phrase'
  subject_code: string
  field: string
  language: LanguageCode
  text: string
  origin: 'data' | 'human' | 'machine' | 'cldr'
  english_hash: string
}

export interface UnitTable {
  key: string
  name: string
  is_proper: boolean
}

export interface UploadedPictureTable {
  id: string
  public_id: string
  account_id: string
  purpose: 'avatar' | 'ticket'
  content: Buffer
  width: number
  height: number
  created_at: Timestamp
}

export interface VaultReaderTable {
  id: string
  name: string
  key_ids: number[]
  seen_at: Timestamp
}

export interface VerificationTable {
  id: string
  purpose: 'register' | 'reset' | 'email' | 'phone' | 'proof' | 'undo_cancel' | 'unfreeze' | 'sign_in_elsewhere' | 'bind' | 'second_factor' | 'passkey' | 'operator_invitation' | 'owner_link'
  account_id: string | null
  target: Generated<string>
  code_hash: Buffer | null
  code_expires_at: Timestamp | null
  tries: Generated<0 | 1 | 2 | 3 | 4 | 5>
  secret_hash: Buffer | null
  expires_at: Timestamp
  used_at: Timestamp | null
  data: Generated<Json>
  created_at: Timestamp
}

export interface VisitTable {
  day: Day
  visit_id_hash: Buffer
}

export interface VisitCountTable {
  day: Day
  visits: Generated<Int8>
}

export interface WebhookDeliveryTable {
  id: string
  public_id: string
  endpoint_id: string
  order_id: string
  order_status: string
  state: Generated<'waiting' | 'delivered' | 'given_up'>
  attempts: Generated<number>
  due_at: Timestamp
  answer: string | null
  created_at: Timestamp
  ended_at: Timestamp | null
}

export interface WebhookEndpointTable {
  id: string
  public_id: string
  account_id: string
  url: string
  salt: Buffer
  status: Generated<'on' | 'off'>
  created_at: Timestamp
  created_by: string
  last_attempt_at: Timestamp | null
}

export interface Tables {
  accepted_part: AcceptedPartTable
  accepted_payment: AcceptedPaymentTable
  account: AccountTable
  age_proof: AgeProofTable
  agent_confirmation: AgentConfirmationTable
  alert_matter: AlertMatterTable
  alert_message: AlertMessageTable
  answer_template: AnswerTemplateTable
  article: ArticleTable
  article_category: ArticleCategoryTable
  audit_log: AuditLogTable
  audit_seal: AuditSealTable
  bank_line: BankLineTable
  bank_receipt: BankReceiptTable
  bank_return: BankReturnTable
  bank_statement: BankStatementTable
  billing_address: BillingAddressTable
  brand: BrandTable
  brand_category: BrandCategoryTable
  broken_promise: BrokenPromiseTable
  bulk_run: BulkRunTable
  bulk_run_order: BulkRunOrderTable
  card_key: CardKeyTable
  card_source: CardSourceTable
  cart_line: CartLineTable
  category: CategoryTable
  code_redirect: CodeRedirectTable
  country: CountryTable
  credit_debt: CreditDebtTable
  credit_funding: CreditFundingTable
  currency: CurrencyTable
  currency_rate: CurrencyRateTable
  delivery_check: DeliveryCheckTable
  delivery_pace: DeliveryPaceTable
  delivery_time: DeliveryTimeTable
  delivery_use: DeliveryUseTable
  dispute_evidence: DisputeEvidenceTable
  expansion: ExpansionTable
  export_part: ExportPartTable
  export_run: ExportRunTable
  favourite: FavouriteTable
  figure: FigureTable
  figure_due: FigureDueTable
  figure_progress: FigureProgressTable
  function_edition: FunctionEditionTable
  funded_credit: FundedCreditTable
  game: GameTable
  goods_change: GoodsChangeTable
  goods_change_row: GoodsChangeRowTable
  goods_file: GoodsFileTable
  goods_file_fault: GoodsFileFaultTable
  goods_file_piece: GoodsFilePieceTable
  guide_step: GuideStepTable
  idempotency_key: IdempotencyKeyTable
  invariant_of_books: InvariantOfBooksTable
  invariant_of_order: InvariantOfOrderTable
  invariant_violation: InvariantViolationTable
  item: ItemTable
  item_level_price: ItemLevelPriceTable
  item_route: ItemRouteTable
  key_access: KeyAccessTable
  key_batch: KeyBatchTable
  key_batch_level: KeyBatchLevelTable
  key_encryption_key: KeyEncryptionKeyTable
  key_export: KeyExportTable
  key_export_piece: KeyExportPieceTable
  key_import: KeyImportTable
  key_import_chunk: KeyImportChunkTable
  key_import_fault: KeyImportFaultTable
  key_replacement: KeyReplacementTable
  key_sale_day: KeySaleDayTable
  key_shelf: KeyShelfTable
  known_device: KnownDeviceTable
  ledger_account: LedgerAccountTable
  ledger_closing: LedgerClosingTable
  ledger_day: LedgerDayTable
  ledger_transfer: LedgerTransferTable
  line_player: LinePlayerTable
  linked_identity: LinkedIdentityTable
  list_columns: ListColumnsTable
  margin_rule: MarginRuleTable
  migration: MigrationTable
  notice: NoticeTable
  operator: OperatorTable
  operator_act: OperatorActTable
  operator_answer: OperatorAnswerTable
  operator_factor_reset: OperatorFactorResetTable
  operator_invitation: OperatorInvitationTable
  operator_passkey: OperatorPasskeyTable
  operator_proof: OperatorProofTable
  operator_recovery_code: OperatorRecoveryCodeTable
  operator_role: OperatorRoleTable
  operator_session: OperatorSessionTable
  operator_ticket: OperatorTicketTable
  operator_token: OperatorTokenTable
  operator_totp: OperatorTotpTable
  order_event: OrderEventTable
  order_facts: OrderFactsTable
  order_label: OrderLabelTable
  order_line: OrderLineTable
  order_looker: OrderLookerTable
  order_note: OrderNoteTable
  order_unit: OrderUnitTable
  order_view: OrderViewTable
  outgoing_mail: OutgoingMailTable
  outgoing_sms: OutgoingSmsTable
  page_count: PageCountTable
  page_read: PageReadTable
  passkey: PasskeyTable
  payment_attempt: PaymentAttemptTable
  payment_difference: PaymentDifferenceTable
  payment_service: PaymentServiceTable
  payment_service_draft: PaymentServiceDraftTable
  payment_service_former: PaymentServiceFormerTable
  picture: PictureTable
  platform: PlatformTable
  price_effect: PriceEffectTable
  price_effect_item: PriceEffectItemTable
  price_input: PriceInputTable
  product: ProductTable
  program_key: ProgramKeyTable
  promise_look: PromiseLookTable
  provider_balance: ProviderBalanceTable
  provider_event: ProviderEventTable
  provider_standing: ProviderStandingTable
  purchase: PurchaseTable
  purchase_unit: PurchaseUnitTable
  rate_limit: RateLimitTable
  rate_quote: RateQuoteTable
  reconciliation: ReconciliationTable
  reconciliation_failure: ReconciliationFailureTable
  recovery_code: RecoveryCodeTable
  refund: RefundTable
  refund_part: RefundPartTable
  refund_unit: RefundUnitTable
  region: RegionTable
  report_mail: ReportMailTable
  reseller_key: ResellerKeyTable
  reseller_nonce: ResellerNonceTable
  reseller_order: ResellerOrderTable
  reseller_test_delivery: ResellerTestDeliveryTable
  reseller_test_key: ResellerTestKeyTable
  reseller_test_order: ResellerTestOrderTable
  review: ReviewTable
  running_process: RunningProcessTable
  sale_stop: SaleStopTable
  sales_invoice: SalesInvoiceTable
  sales_invoice_series: SalesInvoiceSeriesTable
  saved_account: SavedAccountTable
  saved_report: SavedReportTable
  screening_check: ScreeningCheckTable
  screening_entry: ScreeningEntryTable
  search_miss: SearchMissTable
  second_factor: SecondFactorTable
  service_case: ServiceCaseTable
  service_case_unit: ServiceCaseUnitTable
  session: SessionTable
  setting: SettingTable
  shop_image: ShopImageTable
  shop_order: ShopOrderTable
  shopper_note: ShopperNoteTable
  sign_in_guard: SignInGuardTable
  starter_goods: StarterGoodsTable
  stock_change: StockChangeTable
  stock_level: StockLevelTable
  stopped_item: StoppedItemTable
  stray_payment: StrayPaymentTable
  supplier: SupplierTable
  supplier_balance: SupplierBalanceTable
  supplier_balance_reading: SupplierBalanceReadingTable
  supplier_commission: SupplierCommissionTable
  supplier_deposit: SupplierDepositTable
  supplier_invoice: SupplierInvoiceTable
  supplier_offer: SupplierOfferTable
  supplier_product: SupplierProductTable
  supplier_service: SupplierServiceTable
  supplier_service_draft: SupplierServiceDraftTable
  supplier_usage: SupplierUsageTable
  supply_case: SupplyCaseTable
  supply_comparison: SupplyComparisonTable
  supply_difference: SupplyDifferenceTable
  supply_queue: SupplyQueueTable
  supply_schedule: SupplyScheduleTable
  supply_sync_run: SupplySyncRunTable
  supply_sync_wish: SupplySyncWishTable
  sweep: SweepTable
  system_check: SystemCheckTable
  tally: TallyTable
  tally_due: TallyDueTable
  tally_month: TallyMonthTable
  tally_progress: TallyProgressTable
  tax_booking: TaxBookingTable
  tax_class: TaxClassTable
  tax_due: TaxDueTable
  tax_rate: TaxRateTable
  text_override: TextOverrideTable
  transition_rule: TransitionRuleTable
  translation: TranslationTable
  unit: UnitTable
  uploaded_picture: UploadedPictureTable
  vault_reader: VaultReaderTable
  verification: VerificationTable
  visit: VisitTable
  visit_count: VisitCountTable
  webhook_delivery: WebhookDeliveryTable
  webhook_endpoint: WebhookEndpointTable
}
