import { Button, ButtonLink } from '#ui/button.tsx'
import { Note } from '#ui/note.tsx'
import { FORM_FIELD } from '../forms/form-field.ts'
import { useHref, useT } from '../i18n.tsx'
import { AccountCart } from './account-cart.tsx'
import type { CheckedGoods, RefusedGoods, ShopCartData } from './load.ts'
import css from './shop-cart.module.css'
import { VisitorCart } from './visitor-cart.tsx'

export function Page({ data }: { readonly data: ShopCartData }) {
  return (
    <>
      {data.refused === null ? null : <Refused refused={data.refused} />}
      {data.checked === null ? null : <Checked checked={data.checked} />}
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

/** The account that was asked about, and the way on with it. */
function Checked({
  checked: { path, text, values, buy, add },
}: {
  readonly checked: CheckedGoods
}) {
  const t = useT()
  const href = useHref()
  return (
    <form className={`wrap stack ${css.page}`} method="post" action={href('/shop-cart')}>
      <Note
        role="status"
        action={
          path === null ? undefined : (
            <ButtonLink size="small" href={href(path)}>
              {t('shop-cart.toProduct')}
            </ButtonLink>
          )
        }
      >
        <bdi>{text}</bdi>
      </Note>
      {values.map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <div className="row">
        <Button type="submit" name={FORM_FIELD} value="buyNow" look="pay">
          {buy}
        </Button>
        <Button type="submit" name={FORM_FIELD} value="add">
          {add}
        </Button>
      </div>
    </form>
  )
}
