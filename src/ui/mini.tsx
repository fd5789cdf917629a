import css from './mini.module.css'
import { Picture, type ImageSource } from './picture.tsx'

export interface MiniEntry {
  readonly href: string
  readonly image: ImageSource
  readonly name: string
  readonly lang?: string | undefined
  readonly note?: string | undefined
  /** Ready to show. */
  readonly price?: string | undefined
}

/** Goods in narrow rows: small cover, name, price. */
export function MiniList({ items }: { readonly items: readonly MiniEntry[] }) {
  return (
    <ul className={css.list}>
      {items.map(({ href, image, name, lang, note, price }) => (
        <li key={href}>
          <a className={css.entry} href={href}>
            <Picture {...image} alt="" />
            <span>
              <b>
                <bdi lang={lang}>{name}</bdi>
              </b>
              {note === undefined ? null : <small>{note}</small>}
            </span>
            {price === undefined ? null : <bdi className="small strong">{price}</bdi>}
          </a>
        </li>
      ))}
    </ul>
  )
}
