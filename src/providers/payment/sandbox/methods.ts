import type { DeclaredMethod } from '../service.ts'

/** Ways to pay of the demo's own service. */
export const SANDBOX_METHODS: readonly DeclaredMethod[] = [
  {
    code: 'card',
    group: 'card',
    icon: 'card',
    minUsdMinor: 50n,
    maxUsdMinor: 1_000_000n,
  },
  {
    code: 'wallet',
    group: 'card',
    icon: 'wallet',
    minUsdMinor: 50n,
    maxUsdMinor: 200_000n,
  },
  {
    code: 'qr',
    group: 'local',
    icon: 'qr',
    minUsdMinor: 50n,
    maxUsdMinor: 50_000n,
  },
  { code: 'bank', group: 'bank', icon: 'bank', minUsdMinor: 100n, maxUsdMinor: 1_000_000n },
]
