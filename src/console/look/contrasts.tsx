import {
  isReadable,
  pairsOf,
  SCHEMES,
  type ColourName,
  type Pair,
  type Theme,
} from '#features/base/theme/rules.ts'
import type { ColumnData } from '../settings/shown.ts'
import { useConsoleWords } from '../words.tsx'

/** Every pair of colours that has to be read, as one would see it, with its contrast. */
export function Contrasts({
  theme,
  columns,
}: {
  readonly theme: Theme
  /** What the colours are called. */
  readonly columns: readonly ColumnData[]
}) {
  const { t, language } = useConsoleWords()
  const pairs = pairsOf(theme)
  const number = (value: number) =>
    new Intl.NumberFormat(language, { maximumFractionDigits: 2 }).format(value)
  const nameOf = (name: ColourName | 'signals') =>
    name === 'signals'
      ? t('console.look.signals')
      : (columns.find((column) => column.name === name)?.text ?? name)
  return (
    <section className="stack-2" aria-labelledby="contrast">
      <h2 id="contrast">{t('console.look.contrast')}</h2>
      <div className="contrasts">
        {SCHEMES.map((scheme) => (
          <div key={scheme}>
            <h3 className="tiny">{t(`console.me.themes.${scheme}`)}</h3>
            <ul>
              {pairs
                .filter((pair) => pair.scheme === scheme)
                .map((pair) => (
                  <li key={`${pair.name} ${pair.on}`}>
                    <Sample pair={pair} />
                    <span className="small">
                      {nameOf(pair.name)} · {nameOf(pair.on)}
                    </span>
                    <span className={isReadable(pair) ? 'badge ok' : 'badge bad'}>
                      <bdi className="num">{number(pair.ratio)}:1</bdi>{' '}
                      {t(isReadable(pair) ? 'console.look.read' : 'console.look.faint')}
                    </span>
                  </li>
                ))}
            </ul>
          </div>
        ))}
      </div>
    </section>
  )
}

/** Of a ground under signals the two have changed places: what is named first is read on what comes second. */
function Sample({ pair: { on, colour, other } }: { readonly pair: Pair }) {
  const [words, ground] = on === 'signals' ? [other, colour] : [colour, other]
  return <span className="sample" aria-hidden="true" style={{ color: words, background: ground }} />
}
