/** What the shop sells and tells of it: nothing of people. */
export const CATALOGUE_TABLES = {
  sale_stop: { personal: [], none: ['kind', 'code', 'reason', 'stopped_by', 'ended_by'] },
  article: {
    personal: [],
    none: ['kind', 'category', 'title', 'summary', 'sections', 'picture', 'source'],
  },
  article_category: { personal: [], none: ['kind', 'name'] },
  brand: {
    personal: [],
    none: [
      'kind',
      'name',
      'publisher',
      'game',
      'picture',
      'delivery',
      'unit',
      'fields',
      'account_check',
      'redeem_at',
      'key_format',
      'validity',
      'recharge',
      'source',
    ],
  },
  brand_category: { personal: [], none: ['brand'] },
  category: { personal: [], none: ['name', 'icon', 'path', 'picture', 'source'] },
  code_redirect: { personal: [], none: ['kind', 'old_code', 'new_code'] },
  country: {
    personal: [],
    none: ['code', 'alpha3', 'numeric_code', 'name', 'continent', 'dial_code', 'phone'],
  },
  expansion: { personal: [], none: ['name', 'hash'] },
  game: { personal: [], none: ['name', 'publisher', 'picture', 'source'] },
  item: {
    personal: [],
    none: ['code', 'product', 'kind', 'name', 'own_prices', 'source', 'source_reference'],
  },
  item_level_price: { personal: [], none: [] },
  picture: { personal: [], none: ['code', 'kind', 'recipe', 'design', 'short', 'path'] },
  platform: { personal: [], none: ['name'] },
  product: {
    personal: [],
    none: ['brand', 'region', 'region_name', 'lock', 'lock_note', 'picture', 'source'],
  },
  region: { personal: [], none: ['name'] },
  translation: {
    personal: [],
    none: ['subject', 'subject_code', 'field', 'text', 'origin', 'english_hash'],
  },
}
