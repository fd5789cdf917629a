import type { ComponentProps, ReactNode } from 'react'
import css from './denomination.module.css'

export interface DenominationProps extends ComponentProps<'input'> {
  /** What one gets ("468 Diamonds"). */
  amount: ReactNode
  /** Second line, say a bonus. */
  note?: string | undefined
  /** Ready to show; the crossed-out `was` follows it. */
  price: string
  was?: string | undefined
  /** Set, it says why the tile cannot be chosen, and hatches it. */
  soldOut?: string | undefined
}

/** Radio tile of a denomination: all of one `name` make a choice. Takes what an `input` takes. */
export function Denomination({ amount, note, price, was, soldOut, ...input }: DenominationProps) {
  return (
    <label className={css.tile}>
      <input type="radio" disabled={soldOut !== undefined} {...input} />
      <span className={css.amount}>
        {amount}
        {note === undefined ? null : <small>{note}</small>}
      </span>
      <span className={css.price}>
        <bdi className="num">{price}</bdi>
        {was === undefined ? null : <s className="num">{was}</s>}
        {soldOut === undefined ? null : <b>{soldOut}</b>}
      </span>
    </label>
  )
}

/** Grid of `Denomination` tiles; `label` names the choice. */
export function Denominations({ label, ...rest }: { label: string } & ComponentProps<'div'>) {
  return <div className={css.grid} role="radiogroup" aria-label={label} {...rest} />
}
