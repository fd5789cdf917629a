/** What the page of suppliers shows, one at a time. */
export const SUPPLIER_VIEWS = [
  'all',
  'doubts',
  'waiting',
  'cases',
  'differences',
  'invoices',
  'rule',
] as const
export type SupplierView = (typeof SUPPLIER_VIEWS)[number]

export const isSupplierView = (name: string | null): name is SupplierView =>
  SUPPLIER_VIEWS.some((view) => view === name)
