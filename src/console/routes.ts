import type { IconName } from '#ui/icon-paths.ts'
import type { Permission } from '#features/team/operator/rules.ts'

/** Where the console lives. */
export const CONSOLE_PATH = '/console'

/** An address of the console. `page` is its folder. */
export interface ConsoleRoute {
  readonly page: string
  /** Below `/console`; a part in braces is a parameter. */
  readonly path: string
  /** What its reader must be allowed to; null for what any operator may see, 'visitor' for who is not signed in yet. */
  readonly needs: Permission | 'visitor' | null
  /** A list of people, or of what they did: how much of it is read is written down, as of the calls. */
  readonly isCounted?: true
}

/** Every page of the console: the table of contents. */
export const CONSOLE_ROUTES: readonly ConsoleRoute[] = [
  { page: 'sign-in', path: '/sign-in', needs: 'visitor' },
  { page: 'invitation', path: '/invitation', needs: 'visitor' },
  { page: 'home', path: '/', needs: null },
  { page: 'orders', path: '/orders', needs: 'order.read' },
  { page: 'order', path: '/orders/{number}', needs: 'order.read' },
  { page: 'by-hand', path: '/by-hand', needs: 'order.deliver', isCounted: true },
  { page: 'cases', path: '/cases', needs: 'case.read', isCounted: true },
  { page: 'case', path: '/cases/{id}', needs: 'case.read' },
  { page: 'reviews', path: '/reviews', needs: 'case.read', isCounted: true },
  { page: 'templates', path: '/templates', needs: 'case.read' },
  { page: 'customers', path: '/customers', needs: 'shopper.read', isCounted: true },
  { page: 'customer', path: '/customers/{id}', needs: 'shopper.read' },
  { page: 'products', path: '/products', needs: 'product.read' },
  { page: 'goods-files', path: '/products/files', needs: 'product.read' },
  { page: 'goods-new', path: '/products/new', needs: 'product.change' },
  { page: 'list-new', path: '/products/lists/new/{list}', needs: 'product.change' },
  { page: 'lists', path: '/products/lists/{list}', needs: 'product.read' },
  { page: 'list-entry', path: '/products/lists/{list}/{code}', needs: 'product.read' },
  { page: 'product', path: '/products/{code}', needs: 'product.read' },
  { page: 'keys', path: '/keys', needs: 'key.read' },
  { page: 'shelf', path: '/keys/{item}', needs: 'key.read' },
  { page: 'batch', path: '/keys/{item}/{batch}', needs: 'key.read' },
  { page: 'prices', path: '/prices', needs: 'price.read' },
  { page: 'price-why', path: '/prices/why', needs: 'price.read' },
  { page: 'suppliers', path: '/suppliers', needs: 'supplier.read' },
  { page: 'supplier', path: '/suppliers/{code}', needs: 'supplier.read' },
  { page: 'money', path: '/money', needs: 'payment.read' },
  { page: 'payment-service', path: '/money/providers/{code}', needs: 'payment.read' },
  { page: 'payment-method', path: '/money/methods/{code}', needs: 'payment.read' },
  { page: 'reports', path: '/reports', needs: null },
  { page: 'exports', path: '/exports', needs: 'export.make' },
  { page: 'approvals', path: '/approvals', needs: 'approval.decide' },
  { page: 'people', path: '/people', needs: 'staff.read' },
  { page: 'audit', path: '/audit', needs: 'staff.read', isCounted: true },
  { page: 'selling', path: '/selling', needs: 'product.read' },
  { page: 'webhooks', path: '/webhooks', needs: 'reseller.read' },
  { page: 'tokens', path: '/tokens', needs: null },
  { page: 'me', path: '/me', needs: null },
  { page: 'setup', path: '/setup', needs: 'shop.manage' },
  { page: 'guide', path: '/guide', needs: 'shop.manage' },
  { page: 'settings', path: '/settings', needs: 'shop.manage' },
  { page: 'look', path: '/settings/look', needs: 'shop.manage' },
  { page: 'settings-file', path: '/settings/file', needs: 'shop.manage' },
  { page: 'texts', path: '/settings/texts', needs: 'shop.manage' },
  { page: 'system', path: '/system', needs: 'system.read' },
]

export interface RouteMatch {
  readonly route: ConsoleRoute
  readonly params: Readonly<Record<string, string>>
}

/** @param path below `/console`, '/' for its home */
export function matchConsoleRoute(path: string): RouteMatch | null {
  const parts = path.split('/')
  for (const route of CONSOLE_ROUTES) {
    const params = paramsOf(route.path.split('/'), parts)
    if (params) return { route, params }
  }
  return null
}

function paramsOf(pattern: readonly string[], parts: readonly string[]) {
  if (pattern.length !== parts.length) return null
  const params: Record<string, string> = {}
  for (const [index, part] of pattern.entries()) {
    const given = parts[index] ?? ''
    const name = /^\{(\w+)\}$/.exec(part)?.[1]
    if (name === undefined ? part !== given : given === '') return null
    if (name !== undefined) params[name] = given
  }
  return params
}

/** An entry of the rail. */
export interface NavEntry {
  readonly page: string
  readonly path: string
  readonly icon: IconName
}

export interface NavGroup {
  readonly name: 'top' | 'sales' | 'catalogue' | 'finance' | 'shop'
  readonly entries: readonly NavEntry[]
}

export const NAVIGATION: readonly NavGroup[] = [
  { name: 'top', entries: [{ page: 'home', path: '/', icon: 'home' }] },
  {
    name: 'sales',
    entries: [
      { page: 'orders', path: '/orders', icon: 'receipt' },
      { page: 'by-hand', path: '/by-hand', icon: 'box' },
      { page: 'cases', path: '/cases', icon: 'chat' },
      { page: 'customers', path: '/customers', icon: 'people' },
    ],
  },
  {
    name: 'catalogue',
    entries: [
      { page: 'products', path: '/products', icon: 'store' },
      { page: 'keys', path: '/keys', icon: 'key' },
      { page: 'prices', path: '/prices', icon: 'sticker' },
      { page: 'suppliers', path: '/suppliers', icon: 'refresh' },
    ],
  },
  {
    name: 'finance',
    entries: [
      { page: 'money', path: '/money', icon: 'wallet' },
      { page: 'reports', path: '/reports', icon: 'chart' },
      { page: 'exports', path: '/exports', icon: 'download' },
    ],
  },
  {
    name: 'shop',
    entries: [
      { page: 'approvals', path: '/approvals', icon: 'shield' },
      { page: 'people', path: '/people', icon: 'user' },
      { page: 'audit', path: '/audit', icon: 'clock' },
      { page: 'selling', path: '/selling', icon: 'alert' },
      { page: 'webhooks', path: '/webhooks', icon: 'link' },
      { page: 'tokens', path: '/tokens', icon: 'laptop' },
      { page: 'settings', path: '/settings', icon: 'store' },
      { page: 'system', path: '/system', icon: 'gear' },
    ],
  },
]
