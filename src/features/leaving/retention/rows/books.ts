import type { TableRetention } from '../rules.ts'

/** What the books hold and what is made of them: days, files, taxes, and what was told to who bought. */
export const BOOK_TABLES: Readonly<Record<string, TableRetention>> = {
  export_part: { personal: [], none: ['content', 'bytes'] },
  export_run: { personal: [], none: ['kind', 'format', 'state', 'failure', 'asked_by'] },
  ledger_closing: { personal: [], none: [] },
  ledger_day: { personal: [], none: ['account'] },
  provider_balance: { personal: [], none: ['provider', 'currency'] },
  provider_standing: { personal: [], none: ['provider'] },
  sales_invoice: {
    personal: ['buyer'],
    none: ['kind', 'series', 'content'],
    days: null,
    by: 'clean_up',
    text: 'Invoices and credit notes stay, as the books do. Who bought is taken out when the law asks for it no longer, also where the account has gone before: ten years after the year of the invoice, or what the setting `invoice` says.',
  },
  sales_invoice_series: { personal: [], none: ['series'] },
  tax_booking: { personal: [], none: ['kind', 'country', 'class'] },
  tax_class: { personal: [], none: ['product', 'country', 'class', 'set_by'] },
  tax_due: { personal: [], none: ['kind'] },
  tax_rate: { personal: [], none: ['country', 'class', 'set_by'] },
}
