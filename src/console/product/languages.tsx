import { CONSOLE_PATH } from '../routes.ts'
import { useT } from '../words.tsx'
import { useShared } from './editor.tsx'

const WHOLE = 100
const WEAK = 60

/** How much of the texts each language has, as they are now in English; those that lack something first. */
export function Languages() {
  const t = useT()
  const { data, here } = useShared()
  const all = data.languages.map(({ code, name }) => ({
    code,
    name,
    share: data.texts.complete[code] ?? 0,
  }))
  const whole = all.filter(({ share }) => share === WHOLE)
  const lacking = all.filter(({ share }) => share < WHOLE).toSorted((a, b) => a.share - b.share)
  return (
    <section className="panel stack-2">
      <div className="row between wrapx">
        <h2>{t('console.product.languages')}</h2>
        <span className="hint">
          {t('console.product.languagesDone', { done: whole.length, all: all.length })}
        </span>
      </div>
      <ul className="lg-bars">
        {lacking.map((one) => (
          <Bar key={one.code} {...one} />
        ))}
      </ul>
      {whole.length > 0 && (
        <details>
          <summary>{t('console.product.languagesWhole', { count: whole.length })}</summary>
          <ul className="lg-bars">
            {whole.map((one) => (
              <Bar key={one.code} {...one} />
            ))}
          </ul>
        </details>
      )}
    </section>
  )

  function Bar({
    code,
    name,
    share,
  }: {
    readonly code: string
    readonly name: string
    readonly share: number
  }) {
    return (
      <li className="lg-bar">
        {code === 'en' ? (
          <span lang={code}>{name}</span>
        ) : (
          <a
            className="link"
            lang={code}
            href={`${CONSOLE_PATH}${here}?view=texts&languages=${code}`}
          >
            <bdi>{name}</bdi>
          </a>
        )}
        <span className="meter" aria-hidden="true">
          <i
            className={share === WHOLE ? 'o' : share < WEAK ? 'w' : ''}
            style={{ inlineSize: `${share}%` }}
          />
        </span>
        <span className="num">{share}%</span>
      </li>
    )
  }
}
