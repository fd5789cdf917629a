import { MISS_DAYS, MISSES_A_DAY } from '#features/base/analytics/rules.ts'
import { BULK_KEPT_DAYS } from '#features/office/bulk/rules.ts'
import { REFUSED_DAYS } from '#features/buying/reseller/rules.ts'
import { TEST_DAYS, TEST_ORDERS_A_DAY } from '#features/buying/reseller-sandbox/rules.ts'
import { WEBHOOK_DAYS } from '#features/buying/webhook/rules.ts'
import { CONFIRMATION_DAYS, CONFIRMATIONS_A_DAY } from '#features/buying/agent/rules.ts'
import { LINES_MAX, QUANTITY_MAX, UNPAID_A_DAY, UNPAID_MAX } from '#features/buying/order/rules.ts'
import { CASES_A_DAY } from '#features/buying/after-sales/rules.ts'
import { SAVED_MAX } from '#features/buying/saved-account/rules.ts'
import { ATTEMPTS_MAX } from '#features/buying/payment/rules.ts'
import { SCREENING_KEPT_DAYS, USE_KEPT_DAYS } from '#features/buying/gate/rules.ts'
import { UPLOADS_A_DAY } from '#features/goods/upload/rules.ts'
import { ADDRESSES_MAX } from '#features/people/address/rules.ts'
import { PASSKEYS_MAX, RECOVERY_CODES } from '#features/base/authenticator/rules.ts'
import { FAVOURITES_MAX } from '#features/people/favourite/rules.ts'
import { REPORT_TABLES } from '#features/office/report/rules.ts'
import { RECIPIENT_KEPT_DAYS } from '#features/people/mail/rules.ts'
import { NOTICE_DAYS_MAX, NOTICES_MAX } from '#features/people/notice/rules.ts'
import { SMS_KEPT_DAYS } from '#features/people/phone/rules.ts'
import { KNOWN_DEVICES_MAX, SESSIONS_MAX } from '#features/people/session/rules.ts'
import {
  AUDIT_DAYS,
  CHANGE_DAYS,
  EVIDENCE_DAYS,
  UNPAID_DAYS,
} from '#features/leaving/retention/rules.ts'

/** What grows by what people outside do, and what keeps it from growing without end. */
export interface Bound {
  /** Of one person, or of one order, payment, network. */
  readonly each: string
  /** Of all together. */
  readonly all: string
  readonly end: string
}

const BY_PAYMENTS = 'what was paid or tried at a payment service'
const WITH_ORDER = 'as its order'
const WITH_ACCOUNT = 'with the account'
const PEOPLE = 'people'
const BOOKS = 'never: books'

/** By table. Whoever adds one says here what bounds it. */
export const BOUNDS: Readonly<Record<string, Bound>> = {
  accepted_part: { each: 'one a payment of an order', all: 'operators', end: BOOKS },
  accepted_payment: { each: 'one an order', all: 'operators', end: BOOKS },
  account: {
    each: 'one a mailbox that answered',
    all: 'mailed codes: 6 an hour by address and network, 300 sign-ins a minute by network',
    end: '30 days after it is cancelled all but a row without a name',
  },
  agent_confirmation: {
    each: `${CONFIRMATIONS_A_DAY} a day`,
    all: 'keys that operators made',
    end: `${CONFIRMATION_DAYS} days after it has ended, and with the account`,
  },
  age_proof: { each: 'one', all: 'operators', end: WITH_ACCOUNT },
  audit_log: {
    each: '200 changes of an account in a day',
    all: `${PEOPLE}; operators and imports beside`,
    end: `of people after ${CHANGE_DAYS} days; of operators and imports after ${AUDIT_DAYS}`,
  },
  bank_line: { each: 'one a line of a statement', all: 'operators', end: BOOKS },
  bank_receipt: { each: 'one a line of a statement', all: 'operators', end: BOOKS },
  bulk_run_order: {
    each: 'one a run of an operator',
    all: 'operators',
    end: `${BULK_KEPT_DAYS} days after the run was asked for`,
  },
  bank_return: { each: 'one a refund', all: 'refunds', end: BOOKS },
  billing_address: { each: String(ADDRESSES_MAX), all: PEOPLE, end: WITH_ACCOUNT },
  card_key: { each: 'none', all: 'operators', end: 'never: the shelf and what was sold of it' },
  cart_line: {
    each: `${LINES_MAX} lines of ${QUANTITY_MAX}, with those being paid`,
    all: PEOPLE,
    end: 'when it is bought or taken out, and with the account',
  },
  delivery_check: { each: 'one an order', all: 'paid orders', end: BOOKS },
  delivery_use: {
    each: 'one an account of an order, and one for its shopper',
    all: 'paid orders',
    end: `after ${USE_KEPT_DAYS} days, and with the account`,
  },
  screening_check: {
    each: 'one for each name or address they had',
    all: PEOPLE,
    end: `after ${SCREENING_KEPT_DAYS} days, and with the account`,
  },
  favourite: { each: String(FAVOURITES_MAX), all: PEOPLE, end: WITH_ACCOUNT },
  idempotency_key: {
    each: '100 writing calls in 10 seconds, of one day',
    all: PEOPLE,
    end: 'after a day',
  },
  key_access: {
    each: '200 codes an hour, 6 exports, of keys that were bought',
    all: 'keys sold',
    end: BOOKS,
  },
  key_replacement: { each: 'one a faulty key', all: 'operators', end: BOOKS },
  key_batch: { each: 'one a purchase of cards', all: 'paid orders; imports', end: BOOKS },
  known_device: {
    each: String(KNOWN_DEVICES_MAX),
    all: PEOPLE,
    end: '180 days after it was seen last',
  },
  ledger_account: {
    each: 'one a currency with credit, one with a debt',
    all: 'credit given',
    end: BOOKS,
  },
  ledger_transfer: { each: 'some a payment and unit', all: BY_PAYMENTS, end: BOOKS },
  line_player: { each: 'one a line', all: 'orders', end: WITH_ORDER },
  linked_identity: { each: 'one a service', all: PEOPLE, end: WITH_ACCOUNT },
  notice: {
    each: `${NOTICES_MAX}, once a day`,
    all: PEOPLE,
    end: `after ${NOTICE_DAYS_MAX} days, and with the account`,
  },
  operator_act: { each: 'none', all: 'operators', end: BOOKS },
  order_event: { each: `some an attempt and step of an order`, all: 'orders', end: WITH_ORDER },
  order_looker: {
    each: 'one an operator who looks',
    all: 'operators',
    end: 'within half a minute',
  },
  order_note: { each: 'none', all: 'operators', end: WITH_ACCOUNT },
  shopper_note: { each: 'none', all: 'operators', end: WITH_ACCOUNT },
  order_line: { each: `${LINES_MAX} an order`, all: 'orders', end: WITH_ORDER },
  order_unit: { each: `${LINES_MAX} × ${QUANTITY_MAX} an order`, all: 'orders', end: WITH_ORDER },
  outgoing_mail: {
    each: 'mailed codes by address; one a thing that happened',
    all: PEOPLE,
    end: `after ${RECIPIENT_KEPT_DAYS} days`,
  },
  outgoing_sms: {
    each: '5 a day; 3 an hour by number, 20 a day by network',
    all: PEOPLE,
    end: `after ${SMS_KEPT_DAYS} days`,
  },
  page_count: { each: 'none', all: 'one a day', end: 'never: a number a day' },
  passkey: { each: String(PASSKEYS_MAX), all: PEOPLE, end: WITH_ACCOUNT },
  payment_attempt: { each: `${ATTEMPTS_MAX} an order`, all: 'orders', end: WITH_ORDER },
  dispute_evidence: { each: 'one live a dispute', all: BY_PAYMENTS, end: BOOKS },
  payment_difference: { each: 'two open a payment', all: BY_PAYMENTS, end: BOOKS },
  provider_event: {
    each: 'signed ones alone; 30 wrong ones a minute by network are looked at and none kept',
    all: BY_PAYMENTS,
    end: `${EVIDENCE_DAYS} days after it was worked off`,
  },
  purchase: {
    each: 'one live an owed unit; those after it once it has failed for good',
    all: 'paid orders',
    end: `what it tells of people ${EVIDENCE_DAYS} days after the order; the row never: books`,
  },
  purchase_unit: { each: 'the units of a purchase', all: 'paid orders', end: BOOKS },
  rate_limit: {
    each: 'one row a limit and name, network or account',
    all: 'requests that are counted, of one day at most',
    end: 'once it is worth nothing, within the hour',
  },
  reconciliation_failure: {
    each: 'one a payment that could not be compared',
    all: BY_PAYMENTS,
    end: 'once it is compared',
  },
  recovery_code: { each: String(RECOVERY_CODES), all: PEOPLE, end: WITH_ACCOUNT },
  refund: { each: 'no more than was captured', all: BY_PAYMENTS, end: BOOKS },
  refund_part: { each: 'one a refund', all: BY_PAYMENTS, end: BOOKS },
  refund_unit: { each: 'one a unit given back', all: BY_PAYMENTS, end: BOOKS },
  reseller_key: { each: 'none', all: 'operators', end: 'never; with the account its name' },
  reseller_nonce: {
    each: 'signed requests of six minutes; POSTs: 100 in 10 seconds a key',
    all: 'keys that operators made',
    end: 'after six minutes, within the hour',
  },
  reseller_order: {
    each: 'one a reference, within what its key may order in a day',
    all: 'keys that operators made',
    end: `${REFUSED_DAYS} days after it came to nothing; paid ones never: books`,
  },
  reseller_test_delivery: {
    each: 'four a test order',
    all: 'test keys that operators made',
    end: 'as its test order',
  },
  reseller_test_key: {
    each: 'none',
    all: 'operators',
    end: `${TEST_DAYS} days after it was revoked; with the account`,
  },
  reseller_test_order: {
    each: `${TEST_ORDERS_A_DAY.toLocaleString('en')} a day a test key`,
    all: 'test keys that operators made',
    end: `after ${TEST_DAYS} days; with the account`,
  },
  review: {
    each: 'one an order and brand that was delivered',
    all: 'paid orders',
    end: 'never; with the account its name',
  },
  sales_invoice: {
    each: 'one an order, one a refund',
    all: BY_PAYMENTS,
    end: 'never: books; who bought, once the law asks for it no longer',
  },
  saved_account: { each: String(SAVED_MAX), all: PEOPLE, end: WITH_ACCOUNT },
  second_factor: { each: '1', all: PEOPLE, end: WITH_ACCOUNT },
  service_case: {
    each: `${CASES_A_DAY} a day, one open a unit`,
    all: 'paid orders',
    end: `its text and picture ${EVIDENCE_DAYS} days after the decision; the row never: books`,
  },
  service_case_unit: { each: 'the units of a case', all: 'paid orders', end: BOOKS },
  session: {
    each: `${SESSIONS_MAX}; one more ends the oldest`,
    all: PEOPLE,
    end: 'after 14 days unused, 90 in any case',
  },
  shop_order: {
    each: `${UNPAID_MAX} unpaid at once; ${UNPAID_A_DAY} a day that come to nothing`,
    all: PEOPLE,
    end: `${UNPAID_DAYS} days after it came to nothing; paid ones never: books`,
  },
  sign_in_guard: {
    each: 'one a name and network that failed',
    all: '2,000 wrong tries in 10 minutes, then 5 by network',
    end: 'after a day without a failure',
  },
  stray_payment: { each: 'one a payment no order knows', all: BY_PAYMENTS, end: BOOKS },
  supplier_deposit: { each: 'none', all: 'operators', end: BOOKS },
  supply_difference: {
    each: 'two a purchase',
    all: 'purchases, and what suppliers report',
    end: BOOKS,
  },
  supply_case: { each: '4 a purchase', all: 'paid orders', end: BOOKS },
  supply_queue: {
    each: 'one an owed unit',
    all: 'paid orders',
    end: 'when it is bought, given back or taken by hand',
  },
  tax_booking: { each: 'some a sale and refund', all: BY_PAYMENTS, end: BOOKS },
  tax_due: {
    each: 'one a sale and refund',
    all: BY_PAYMENTS,
    end: 'within seconds, once it is written down',
  },
  uploaded_picture: {
    each: `${UPLOADS_A_DAY} files a day; one avatar`,
    all: PEOPLE,
    end: `after a day where no question has it, else ${EVIDENCE_DAYS} days after the decision; with the account`,
  },
  verification: {
    each: 'one that lives a purpose and address; tickets by the limits of signing in',
    all: 'mailed codes and sign-ins of a day',
    end: 'a day after it is used or has run out',
  },
  search_miss: {
    each: 'none',
    all: `${MISSES_A_DAY} different words a day`,
    end: `after ${MISS_DAYS} days`,
  },
  visit: {
    each: 'one a day',
    all: '65,536 × 32 a day',
    end: 'two days later; the number stays',
  },
  visit_count: { each: 'none', all: 'one a day', end: 'never: a number a day' },
  webhook_delivery: {
    each: 'one an endpoint and step of an order of its account',
    all: 'orders of resellers',
    end: `${WEBHOOK_DAYS} days after it was taken or given up`,
  },
  webhook_endpoint: { each: 'none', all: 'operators', end: WITH_ACCOUNT },
}

/** Tables that nothing people outside do makes longer: goods, operators, states of the program. */
export const OWN_TABLES: readonly string[] = [
  'alert_matter',
  'alert_message',
  'answer_template',
  'audit_seal',
  'article',
  'article_category',
  'bank_statement',
  'brand',
  'brand_category',
  'broken_promise',
  'bulk_run',
  'card_source',
  'category',
  'code_redirect',
  'country',
  'currency',
  'currency_rate',
  'delivery_pace',
  'delivery_time',
  'expansion',
  ...REPORT_TABLES,
  'function_edition',
  'game',
  'goods_change',
  'guide_step',
  'goods_change_row',
  'goods_file',
  'goods_file_fault',
  'goods_file_piece',
  'item',
  'item_level_price',
  'item_route',
  'key_encryption_key',
  'ledger_closing',
  'list_columns',
  'ledger_day',
  'margin_rule',
  'migration',
  'payment_service',
  'payment_service_draft',
  'payment_service_former',
  'supplier_service',
  'supplier_service_draft',
  'text_override',
  'provider_balance',
  'provider_standing',
  'operator',
  'operator_factor_reset',
  'operator_invitation',
  'operator_answer',
  'operator_passkey',
  'operator_proof',
  'operator_recovery_code',
  'operator_role',
  'operator_session',
  'operator_ticket',
  'operator_token',
  'operator_totp',
  'order_view',
  'page_read',
  'picture',
  'platform',
  'price_effect',
  'price_effect_item',
  'price_input',
  'product',
  'program_key',
  'promise_look',
  'rate_quote',
  'reconciliation',
  'region',
  'running_process',
  'screening_entry',
  'sale_stop',
  'sales_invoice_series',
  'setting',
  'key_batch_level',
  'key_export',
  'key_export_piece',
  'key_import',
  'key_import_chunk',
  'key_import_fault',
  'key_sale_day',
  'key_shelf',
  'starter_goods',
  'stock_change',
  'stock_level',
  'supplier',
  'supplier_balance',
  'supplier_balance_reading',
  'supplier_commission',
  'supplier_invoice',
  'supplier_offer',
  'supplier_product',
  'supplier_usage',
  'supply_comparison',
  'supply_schedule',
  'supply_sync_run',
  'supply_sync_wish',
  'sweep',
  'system_check',
  'tax_class',
  'tax_rate',
  'transition_rule',
  'translation',
  'unit',
  'vault_reader',
]

/** The table of docs/security/bounds.md. */
export function boundsTable(): string {
  return [
    '| table | each | all | what ends it |',
    '|---|---|---|---|',
    ...Object.entries(BOUNDS).map(
      ([table, { each, all, end }]) => `| \`${table}\` | ${each} | ${all} | ${end} |`,
    ),
  ].join('\n')
}
