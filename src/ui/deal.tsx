import type { ReactNode } from 'react'
import { Discount } from './badge.tsx'
import css from './deal.module.css'
import { Picture, type ImageSource } from './picture.tsx'

export interface DealProps {
  href: string
  /** Square. */
  image: ImageSource
  name: string
  lang?: string | undefined
  price: string
  discount?: string | undefined
  was?: string | undefined
}

/** Something sold for less: square picture, price, reduction, old price. Stands in a `DealGrid`. */
export function Deal({ href, image, name, lang, price, discount, was }: DealProps) {
  return (
    <li>
      <a className={css.deal} href={href}>
        <Picture {...image} alt="" ratio="square" />
        <span>
          <b>
            <bdi lang={lang}>{name}</bdi>
          </b>
          <span className={css.price}>
            <bdi className="num">{price}</bdi>
            {discount === undefined ? null : <Discount>{discount}</Discount>}
          </span>
          {was === undefined ? null : <s className={`${css.was} num`}>{was}</s>}
        </span>
      </a>
    </li>
  )
}

export function DealGrid({ children }: { children: ReactNode }) {
  return <ul className={css.grid}>{children}</ul>
}
