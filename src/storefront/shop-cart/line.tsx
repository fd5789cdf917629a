import { Badge } from '#ui/badge.tsx'
import { IconButton } from '#ui/button.tsx'
import { Picture } from '#ui/picture.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { Stepper } from '#ui/stepper.tsx'
import { useState } from 'react'
import { useHref, useT } from '../i18n.tsx'
import { quantityLimit, readQuantity, totalMinor, writeAmount, type MoneyStyle } from '../product/amounts.ts'
import { removeFromCart, setQuantity } from '../state/cart.ts'
import type { PricedLine } from './cart-goods.ts'
import css from './shop-cart.module.css'

/** One line of the cart. */
export function Line({ priced, money }: { readonly priced: PricedLine; readonly money: MoneyStyle }) {
  const t = useT()
  const { line, state, product, item } = priced
  const name = product?.goods_name ?? line.product
  const account = Object.values(line.fields)
  return (
    <li className={css.line}>
      {product === null || product.image === '' ? <span className={css.blank} /> : <Picture src={product.image} width={360} height={360} alt="" ratio="square" />}
      <div>
        {state === 'loading' ? <Skeleton /> : <Name priced={priced} />}
        {item === null ? null : (
          <p className="small muted">
            {item.bonus === null ? item.label : t('shop-cart.withBonus', { item: item.label, bonus: item.bonus })}
          </p>
        )}
        {product === null ? null : <p className="small muted">{product.region.name}</p>}
        {account.length === 0 ? null : (
          <p className="small muted">
            {t('shop-cart.account')} {account.map((value) => <bdi key={value} className="mono"> {value}</bdi>)}
          </p>
        )}
        <div className="row">
          {state === 'gone' || state === 'sold_out' ? <Badge tone="warn">{t(state === 'gone' ? 'shop-cart.gone' : 'goods.soldOut')}</Badge> : null}
          {state === 'failed' ? <Badge tone="bad">{t('shell.requestFailed')}</Badge> : null}
        </div>
      </div>
      <div className={css.end}>
        <b>{state === 'ready' && item?.price ? <bdi className="num">{writeAmount(money, totalMinor(item.price.minor, line.quantity))}</bdi> : null}</b>
        <span className="row">
          {state === 'ready' ? <Quantity priced={priced} name={name} /> : null}
          <IconButton icon="trash" label={t('shop-cart.remove', { name })} onClick={() => removeFromCart(line)} />
        </span>
      </div>
    </li>
  )
}

function Name({ priced: { product, line } }: { readonly priced: PricedLine }) {
  const href = useHref()
  if (product === null) {
    return (
      <b>
        <bdi>{line.product}</bdi>
      </b>
    )
  }
  return (
    <a href={href(`${product.path}?item=${encodeURIComponent(line.item)}`)}>
      <b>
        <bdi>{product.goods_name}</bdi>
      </b>
    </a>
  )
}

function Quantity({ priced: { line, item }, name }: { readonly priced: PricedLine; readonly name: string }) {
  const t = useT()
  const limit = quantityLimit(item?.stock ?? null)
  // What is being typed, which may be nothing for a moment; otherwise the line's own.
  const [typed, setTyped] = useState<string | null>(null)
  return (
    <Stepper
      label={t('shop-cart.quantityOf', { name })}
      lessLabel={t('shop-cart.less')}
      moreLabel={t('shop-cart.more')}
      min={1}
      max={limit}
      value={typed ?? String(line.quantity)}
      autoComplete="off"
      onChange={(event) => {
        setTyped(event.target.value)
        if (event.target.value !== '') setQuantity(line, readQuantity(event.target.value, limit))
      }}
      onBlur={() => setTyped(null)}
    />
  )
}
