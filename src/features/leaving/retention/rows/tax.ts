import type { TableRetention } from '../rules.ts'

/** What goods are taxed by, and what was told to who bought. */
export const TAX_TABLES: Readonly<Record<string, TableRetention>> = {
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
