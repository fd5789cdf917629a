import { IconButton } from '#ui/button.tsx'
import { Note } from '#ui/note.tsx'
import { Icon } from '#ui/icon.tsx'
import { useHref, useT } from '../i18n.tsx'
import type { ProductData } from './load.ts'
import css from './product.module.css'

const SHEET = 'regions'

/**
 * The same brand for other regions, each a page of its own: the one shown in a row, all of them in a sheet that it opens, with script
 * and without.
 */
export function RegionRow({ data }: { readonly data: ProductData }) {
  const t = useT()
  const href = useHref()
  const current = data.regions.find(({ isCurrent }) => isCurrent)
  return (
    <>
      <button type="button" className={css.region} popoverTarget={SHEET}>
        <Icon name="globe" />
        <span>
          <small>{t('product.regionOfAccount')}</small>
          <b>{current?.text ?? data.region}</b>
        </span>
        <span className={css.change}>{t('product.changeRegion')}</span>
      </button>
      <nav popover="auto" id={SHEET} className={css.sheet} aria-labelledby={`${SHEET}-title`}>
        <div>
          <h2 id={`${SHEET}-title`}>{t('product.chooseRegion')}</h2>
          <IconButton
            icon="x"
            label={t('shell.close')}
            popoverTarget={SHEET}
            popoverTargetAction="hide"
          />
        </div>
        <ul>
          {data.regions.map((region) => (
            <li key={region.path}>
              <a href={href(region.path)} aria-current={region.isCurrent ? 'true' : undefined}>
                {region.text}
                {region.isCurrent ? <Icon name="check" /> : null}
              </a>
            </li>
          ))}
        </ul>
      </nav>
    </>
  )
}

/** Where the goods work, in the visitor's language. */
export function RegionNotice({ data }: { readonly data: ProductData }) {
  return data.notice === null ? null : (
    <Note tone="warn" lead={data.notice.lead}>
      {data.notice.text}
    </Note>
  )
}
