import { SCHEMES, type Scheme, type Theme } from '#features/base/theme/rules.ts'
import { useT } from '../words.tsx'
import type { LookData } from './load.ts'
import { useLook } from './use-look.ts'

interface Props {
  readonly pages: LookData['pages']
  readonly theme: Theme
  readonly scheme: Scheme
  readonly choose: (scheme: Scheme) => void
}

/** Five pages of the shop as they would look: drawn, and nothing in them can be pressed. */
export function Preview({ pages, theme, scheme, choose }: Props) {
  const t = useT()
  const token = useLook(theme, scheme)
  return (
    <section className="stack" aria-labelledby="preview">
      <div className="row between wrapx">
        <h2 id="preview">{t('console.look.preview')}</h2>
        <div className="row wrapx" role="group" aria-labelledby="preview">
          {SCHEMES.map((each) => (
            <button
              key={each}
              type="button"
              className={each === scheme ? 'btn solid sm' : 'btn edge sm'}
              aria-pressed={each === scheme}
              onClick={() => choose(each)}
            >
              {t(`console.me.themes.${each}`)}
            </button>
          ))}
        </div>
      </div>
      <div className="looks">
        {pages.map(({ title, address }) => (
          <figure key={address}>
            <div className="shot">
              {token !== null && (
                <iframe
                  title={title}
                  src={`${address}${address.includes('?') ? '&' : '?'}look=${token}`}
                  sandbox="allow-same-origin"
                  loading="lazy"
                  tabIndex={-1}
                  inert
                />
              )}
            </div>
            <figcaption className="small">{title}</figcaption>
          </figure>
        ))}
      </div>
    </section>
  )
}
