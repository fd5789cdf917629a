import type { ComponentProps, ReactNode } from 'react'
import badge from './badge.module.css'
import { joined } from './class-names.ts'
import css from './denomination.module.css'

export interface DenominationProps extends ComponentProps<'input'> {
  /** What one gets, as short as it can be said ("468"). */
  amount: string
  /** What comes on top of it ("+52"), beside it. */
  extra?: string | undefined
  /** Both in full, for screen readers, where the short form leaves the unit out. */
  spoken?: string | undefined
  /** Ready to show; the crossed-out `was` is read, `off` is seen after it. */
  price: string
  was?: string | undefined
  off?: string | undefined
  /** Seen in place of a price that says the same as the amount, until the tile is chosen. */
  priceNote?: string | undefined
  /** Label on the edge, say "Popular". */
  mark?: string | undefined
  /** Takes a line: the amount is a name. */
  wide?: boolean | undefined
  /** Set, it says why the tile cannot be chosen, and hatches it. */
  soldOut?: string | undefined
}

/** Radio tile of a denomination: all of one `name` make a choice. Takes what an `input` takes. */
export function Denomination({
  amount,
  extra,
  spoken,
  price,
  was,
  off,
  priceNote,
  mark,
  wide,
  soldOut,
  ...input
}: DenominationProps) {
  return (
    <label className={wide ? `${css.tile} ${css.wide}` : css.tile}>
      <input type="radio" disabled={soldOut !== undefined} {...input} />
      {mark === undefined ? null : <span className={css.mark}>{mark}</span>}
      <b className={joined(css.amount, !wide && lengthClass(amount + (extra ?? '')))}>
        {spoken === undefined ? (
          <bdi>{amount}</bdi>
        ) : (
          <>
            <span aria-hidden="true">
              <bdi>{amount}</bdi>
              {/* A space, not a margin: it stands between them in either direction. */}
              {extra === undefined ? null : (
                <>
                  {' '}
                  <bdi dir="ltr">{extra}</bdi>
                </>
              )}
            </span>
            <span className="sr">{spoken}</span>
          </>
        )}
      </b>
      <span className={css.price}>
        <bdi>{price}</bdi>
        {priceNote === undefined ? null : <i>{priceNote}</i>}
        {was === undefined ? null : <s className={off === undefined ? undefined : 'sr'}>{was}</s>}
        {off === undefined ? null : <span className={badge.off}>{off}</span>}
        {soldOut === undefined ? null : <b>{soldOut}</b>}
      </span>
    </label>
  )
}

/** From so many characters on a figure is set smaller: three tiles stand side by side on a phone. */
const LONG = 8
const LONGER = 11

function lengthClass(text: string): string | undefined {
  if (text.length >= LONGER) return css.longer
  return text.length >= LONG ? css.long : undefined
}

/** Grid of `Denomination` tiles; `label` names the choice. */
export function Denominations({
  label,
  children,
  ...rest
}: { label: string; children: ReactNode } & ComponentProps<'div'>) {
  return (
    <div className={css.grid} role="radiogroup" aria-label={label} {...rest}>
      {children}
    </div>
  )
}
