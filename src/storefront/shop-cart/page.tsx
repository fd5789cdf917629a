import { ButtonLink } from '#ui/button.tsx'
import { Note } from '#ui/note.tsx'
import { useHref, useT } from '../i18n.tsx'
import { AccountCart } from './account-cart.tsx'
import type { RefusedGoods, ShopCartData } from './load.ts'
import css from './shop-cart.module.css'
import { VisitorCart } from './visitor-cart.tsx'

export function Page({ data }: { readonly data: ShopCartData }) {
  return (
    <>
      {data.refused === null ? null : <Refused refused={data.refused} />}
      {data.cart === null ? (
        <VisitorCart money={data.money} stored={data.visitorCart} />
      ) : (
        <AccountCart cart={data.cart} orders={data.orders} money={data.money} />
      )}
    </>
  )
}

/** Why what a product's page asked for is not in the cart, and the way back there. */
function Refused({ refused: { path, problems } }: { readonly refused: RefusedGoods }) {
  const t = useT()
  const href = useHref()
  return (
    <div className={`wrap ${css.page}`}>
      <Note
        tone="bad"
        role="alert"
        action={
          path === null ? undefined : (
            <ButtonLink size="small" href={href(path)}>
              {t('shop-cart.toProduct')}
            </ButtonLink>
          )
        }
      >
        {problems.map((problem) => (
          <p key={problem}>{problem}</p>
        ))}
      </Note>
    </div>
  )
}
