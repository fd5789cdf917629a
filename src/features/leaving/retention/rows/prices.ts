/** What prices are made of, and what suppliers list: nothing of people. */
export const PRICE_TABLES = {
  margin_rule: {
    personal: [],
    none: ['brand', 'supplier', 'region', 'created_by', 'ended_by'],
  },
  price_effect: { personal: [], none: ['actor', 'prices'] },
  price_input: { personal: [], none: ['kind', 'subject', 'value'] },
  supplier_product: {
    personal: [],
    none: [
      'product',
      'face',
      'kind',
      'name',
      'brand',
      'country',
      'matched_by',
      'status',
      'sync_cost',
      'sync_stock',
      'sync_name',
      'sync_faces',
      'sync_limits',
      'buyer_countries',
      'blocked_countries',
      'refused_currency',
    ],
  },
} as const
