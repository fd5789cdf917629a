import { APPROVAL_CALLS } from './calls/approval.ts'
import { AUDIT_CALLS } from './calls/audit.ts'
import { BULK_CALLS } from './calls/bulk.ts'
import { BY_HAND_CALLS } from './calls/by-hand.ts'
import { CASE_ACTS_CALLS } from './calls/case-acts.ts'
import { CASE_CALLS } from './calls/case.ts'
import { GOODS_CALLS } from './calls/goods.ts'
import { GOODS_FILES_CALLS } from './calls/goods-files.ts'
import { GOODS_PICTURE_CALLS } from './calls/goods-pictures.ts'
import { GOODS_MAKING_CALLS } from './calls/goods-making.ts'
import { GOODS_LISTS_CALLS } from './calls/goods-lists.ts'
import { GUIDE_CALLS } from './calls/guide.ts'
import { HOME_CALLS } from './calls/home.ts'
import { INVITATION_CALLS } from './calls/invitation.ts'
import { KEY_EXPORT_CALLS } from './calls/key-exports.ts'
import { IMPORT_CALLS } from './calls/key-imports.ts'
import { SHELF_CALLS } from './calls/key-shelves.ts'
import { KEY_CALLS } from './calls/keys.ts'
import { LIMIT_CALLS } from './calls/limits.ts'
import { MONEY_BANK_CALLS } from './calls/money-bank.ts'
import { EXPORTS_CALLS } from './calls/exports.ts'
import { MONEY_METHODS_CALLS } from './calls/money-methods.ts'
import { MONEY_SERVICES_CALLS } from './calls/money-services.ts'
import { MONEY_BOOKS_CALLS } from './calls/money-books.ts'
import { MONEY_CALLS } from './calls/money.ts'
import { MONEY_TAX_CALLS } from './calls/money-tax.ts'
import { ORDER_ACTS_CALLS } from './calls/order-acts.ts'
import { ORDER_VIEWS_CALLS } from './calls/order-views.ts'
import { PRICES_CALLS } from './calls/prices.ts'
import { PRESENCE_CALLS } from './calls/presence.ts'
import { REPORT_CALLS } from './calls/reports.ts'
import { REVIEW_CALLS } from './calls/review.ts'
import { SELF_CALLS } from './calls/self.ts'
import { SELLING_CALLS } from './calls/selling.ts'
import { SESSION_CALLS } from './calls/session.ts'
import { SETTINGS_CALLS } from './calls/settings.ts'
import { SETUP_CALLS } from './calls/setup.ts'
import { SHOPPER_ACTS_CALLS } from './calls/shopper-acts.ts'
import { SHOPPER_CALLS } from './calls/shopper.ts'
import { STAFF_CALLS } from './calls/staff.ts'
import { SUPPLIER_BOOKS_CALLS } from './calls/supplier-books.ts'
import { SUPPLIER_ROUTING_CALLS } from './calls/supplier-routing.ts'
import { SUPPLIER_SYNC_CALLS } from './calls/supplier-sync.ts'
import { SUPPLIER_CALLS } from './calls/suppliers.ts'
import { SYSTEM_CALLS } from './calls/system.ts'
import { TEAM_CALLS } from './calls/team.ts'
import { TEMPLATE_CALLS } from './calls/template.ts'
import { TEXT_CALLS } from './calls/text.ts'
import { TOKENS_CALLS } from './calls/tokens.ts'
import { WEBHOOKS_CALLS } from './calls/webhooks.ts'

/** Every call of the console; what each needs stands in `access.ts`. */
export const CONSOLE_CALLS = [
  ...APPROVAL_CALLS,
  ...AUDIT_CALLS,
  ...BULK_CALLS,
  ...BY_HAND_CALLS,
  ...CASE_ACTS_CALLS,
  ...CASE_CALLS,
  ...GOODS_CALLS,
  ...GOODS_FILES_CALLS,
  ...GOODS_LISTS_CALLS,
  ...GOODS_MAKING_CALLS,
  ...GOODS_PICTURE_CALLS,
  ...HOME_CALLS,
  ...INVITATION_CALLS,
  ...KEY_EXPORT_CALLS,
  ...IMPORT_CALLS,
  ...SHELF_CALLS,
  ...KEY_CALLS,
  ...LIMIT_CALLS,
  ...MONEY_BANK_CALLS,
  ...EXPORTS_CALLS,
  ...MONEY_METHODS_CALLS,
  ...MONEY_SERVICES_CALLS,
  ...MONEY_BOOKS_CALLS,
  ...MONEY_TAX_CALLS,
  ...MONEY_CALLS,
  ...ORDER_ACTS_CALLS,
  ...ORDER_VIEWS_CALLS,
  ...PRICES_CALLS,
  ...PRESENCE_CALLS,
  ...REPORT_CALLS,
  ...REVIEW_CALLS,
  ...SELF_CALLS,
  ...SELLING_CALLS,
  ...SESSION_CALLS,
  ...SETTINGS_CALLS,
  ...GUIDE_CALLS,
  ...SETUP_CALLS,
  ...SHOPPER_ACTS_CALLS,
  ...SHOPPER_CALLS,
  ...STAFF_CALLS,
  ...SUPPLIER_CALLS,
  ...SUPPLIER_SYNC_CALLS,
  ...SUPPLIER_ROUTING_CALLS,
  ...SUPPLIER_BOOKS_CALLS,
  ...SYSTEM_CALLS,
  ...TEAM_CALLS,
  ...TEMPLATE_CALLS,
  ...TEXT_CALLS,
  ...TOKENS_CALLS,
  ...WEBHOOKS_CALLS,
] as const
