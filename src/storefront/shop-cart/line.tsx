import { Badge } from '#ui/badge.tsx'
import { FieldFault } from '#ui/field.tsx'
import { Picture } from '#ui/picture.tsx'
import type { ReactNode } from 'react'
import { useHref, useT } from '../i18n.tsx'
import css from './shop-cart.module.css'

export interface LineProps {
  /** Its check box; a visitor's lines have none. */
  readonly select?: ReactNode
  readonly name: string
  /** Address of the product with this item chosen, without language prefix; null for what is sold no more. */
  readonly path: string | null
  readonly image: string
  readonly isSquare?: boolean
  /** What exactly it is, and where it works. */
  readonly about: string
  readonly account: readonly { readonly label: string; readonly value: string }[]
  readonly state: {
    readonly tone: 'info' | 'warn' | 'bad'
    readonly text: string
    readonly note?: string | undefined
  } | null
  /** What is wrong with it, in answer to something the shopper did. */
  readonly fault?: string | undefined
  readonly price: string | null
  /** Below the price: whose it is, and what others pay. */
  readonly level?: { readonly text: string; readonly retail: string | null } | null
  /** Quantity and removal; nothing where it cannot be changed. */
  readonly children?: ReactNode
}

/** Numbers and names of accounts run from left to right, also where the page does not. */
const LATIN = /^[\x20-\x7e]+$/

/** One line of a cart. */
export function Line({
  select,
  name,
  path,
  image,
  isSquare = false,
  about,
  account,
  state,
  fault,
  price,
  level = null,
  children,
}: LineProps) {
  const href = useHref()
  const t = useT()
  const title = (
    <b>
      <bdi>{name}</bdi>
    </b>
  )
  return (
    <li className={select === undefined ? css.line : `${css.line} ${css.sel}`}>
      {select}
      {image === '' ? (
        <span className={css.blank} />
      ) : (
        <Picture
          src={image}
          width={300}
          height={isSquare ? 300 : 400}
          alt=""
          ratio={isSquare ? 'square' : undefined}
        />
      )}
      <div className={css.what}>
        {path === null ? title : <a href={href(path)}>{title}</a>}
        {about === '' ? null : <p className="small muted">{about}</p>}
        {account.length > 0 ? (
          <p className="small muted">
            {account.map(({ label, value }, index) => (
              <span key={index} className={css.pair}>
                {label}{' '}
                <bdi className="mono" dir={LATIN.test(value) ? 'ltr' : undefined}>
                  {value}
                </bdi>
              </span>
            ))}
          </p>
        ) : state === null ? (
          <p className="small muted">{t('shop-cart.codeInOrder')}</p>
        ) : null}
        {state === null ? null : (
          <p className={css.state}>
            <Badge tone={state.tone}>{state.text}</Badge>
            {state.note === undefined ? null : <span className="small muted">{state.note}</span>}
          </p>
        )}
        {fault === undefined ? null : <FieldFault>{fault}</FieldFault>}
      </div>
      <div className={css.end}>
        <b>{price === null ? null : <bdi className="num">{price}</bdi>}</b>
        {level === null || price === null ? null : <LevelNote level={level} />}
        {children === undefined ? null : <div className="row">{children}</div>}
      </div>
    </li>
  )
}

function LevelNote({
  level: { text, retail },
}: {
  readonly level: NonNullable<LineProps['level']>
}) {
  return (
    <span className="small muted">
      {text}
      {retail === null ? null : (
        <>
          {' '}
          <s>
            <bdi className="num">{retail}</bdi>
          </s>
        </>
      )}
    </span>
  )
}
