import type { ShopCartData } from './load.ts'
import { AccountCart } from './account-cart.tsx'
import { VisitorCart } from './visitor-cart.tsx'

export function Page({ data }: { readonly data: ShopCartData }) {
  return data.cart === null ? (
    <VisitorCart money={data.money} />
  ) : (
    <AccountCart cart={data.cart} money={data.money} />
  )
}
