export interface SampleAddress {
  /** Without language prefix. */
  readonly path: string
  readonly status?: number
}

/** One address for each kind of page, with real codes of the demo catalogue. */
export const SAMPLE_ADDRESSES: readonly SampleAddress[] = [
  { path: '/' },
  { path: '/cards' },
  { path: '/top-up' },
  { path: '/game' },
  { path: '/product' },
  { path: '/cards-category/streaming' },
  { path: '/top-up-category/mobile-games' },
  { path: '/game-category/moba' },
  { path: '/card/platform/xbox' },
  { path: '/game/platform/mobile' },
  { path: '/cards?region=us&in_stock=1&sort=price_asc&price_min=5&page=2' },
  { path: '/cards/steam-us' },
  { path: '/top-up/mobile-legends-global' },
  { path: '/product/key-elden-ring-global' },
  { path: '/game/mobile-legends' },
  { path: '/search' },
  { path: '/search?keywords=steam' },
  { path: '/language_currency' },
  { path: '/reviews' },
  { path: '/reviews/steam' },
  { path: '/no-such-page', status: 404 },
  { path: '/cards/no-such-card', status: 404 },
]
