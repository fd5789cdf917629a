import { Icon } from '#ui/icon.tsx'
import { LineChart } from '../kit/line-chart.tsx'
import { Shares } from '../kit/shares.tsx'
import { Views } from '../kit/views.tsx'
import { useT } from '../words.tsx'
import { REPORTS_PATH } from './address.ts'
import { ChoiceForm } from './choice-form.tsx'
import type { ReportsData, ShownReport } from './load.ts'
import { ownOf, SaveForm, SavedList } from './saved-panel.tsx'
import { SPLIT_NAMES, Table } from './table-panel.tsx'

const PER = {
  day: 'console.home.per.day',
  month: 'console.reports.per.month',
} as const

/** What the shop sold, earned, gave back and owes, by period and currency; the choice stands in the address. */
export function Page({ data }: { readonly data: ReportsData }) {
  const t = useT()
  const { tabs, shown } = data
  return (
    <>
      <div className="pg">
        <div>
          <h1>{t('console.reports.nav')}</h1>
          <p>{t('console.reports.lead')}</p>
        </div>
      </div>
      {shown === null ? (
        <div className="panel empty">
          <h2>{t('console.reports.noneAllowed')}</h2>
        </div>
      ) : (
        <>
          <Views
            views={tabs}
            current={shown.choice.report}
            address={(report) => `/reports?${addressOf(shown, report)}`}
            label={t('console.reports.nav')}
          />
          <Shown
            key={`${shown.query} ${data.current}`}
            shown={shown}
            saved={ownOf(data)?.id ?? null}
          />
          <div className="g2">
            <SavedList data={data} />
            <SaveForm key={`${data.current} ${shown.query}`} data={data} shown={shown} />
          </div>
        </>
      )}
    </>
  )
}

/** Another report of the same days. */
function addressOf({ choice }: ShownReport, report: string): string {
  const { period, ago, from, until, compare, currency } = choice
  return new URLSearchParams({
    report,
    period,
    ...(period === 'span' ? { from: from ?? '', until: until ?? '' } : { ago: String(ago) }),
    compare,
    ...(currency === null ? {} : { currency }),
  }).toString()
}

function Shown({ shown, saved }: { readonly shown: ShownReport; readonly saved: string | null }) {
  const t = useT()
  const { choice, table } = shown
  return (
    <>
      <ChoiceForm shown={shown} saved={saved} />
      <section className="stack figures" aria-labelledby="report-title">
        <div className="pg">
          <div>
            <h2 id="report-title">{shown.days}</h2>
            <p>
              {shown.compared !== null &&
                t('console.reports.comparedWith', { days: shown.compared })}
              {shown.asOf !== null && ` · ${t('console.home.asOf', { at: shown.asOf })}`}
            </p>
          </div>
          <Neighbours shown={shown} />
        </div>
        {shown.isBehind && <p className="note">{t('console.home.behind')}</p>}
        {shown.isEmpty ? (
          <div className="panel empty">
            <h3>{t('console.reports.empty')}</h3>
          </div>
        ) : (
          <>
            <Tiles shown={shown} />
            <Drawn shown={shown} />
            <Table table={table} by={choice.by} />
          </>
        )}
        {shown.rates !== null && <p className="hint">{shown.rates}</p>}
        {shown.mayExport && <Files query={shown.query} />}
      </section>
    </>
  )
}

function Neighbours({ shown: { previous, next } }: { readonly shown: ShownReport }) {
  const t = useT()
  if (previous === null) return null
  return (
    <nav className="row" aria-label={t('console.home.period')}>
      <a className="btn edge sm" href={`${REPORTS_PATH}?${previous}`}>
        {t('console.reports.earlier')}
      </a>
      {next !== null && (
        <a className="btn edge sm" href={`${REPORTS_PATH}?${next}`}>
          {t('console.reports.later')}
        </a>
      )}
    </nav>
  )
}

/** The first measure over time, and how it is made up. */
function Drawn({ shown: { chart, table, choice } }: { readonly shown: ShownReport }) {
  const t = useT()
  const line = chart && (
    <section className="panel stack-2" aria-labelledby="chart-title">
      <h3 id="chart-title">
        {chart.what} <small className="hint">{t(PER[chart.per])}</small>
      </h3>
      <LineChart chart={chart} />
    </section>
  )
  const shares = table.shares && (
    <section className="panel stack-2" aria-labelledby="shares-title">
      <h3 id="shares-title">
        {table.heads[0]} <small className="hint">{t(SPLIT_NAMES[choice.by])}</small>
      </h3>
      <Shares rows={table.shares} />
    </section>
  )
  return (
    <div className="g2 stretch">
      {line}
      {shares}
    </div>
  )
}

function Tiles({ shown: { tiles } }: { readonly shown: ShownReport }) {
  const t = useT()
  return (
    <dl className="panel flush figs">
      {tiles.map(({ name, value, change, before }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd className="v">
            <bdi>{value}</bdi>
          </dd>
          {before !== null && (
            <dd>
              <small>
                {change && (
                  <>
                    <b className={change.look === 'same' ? undefined : change.look}>
                      <bdi>{change.text}</bdi>
                    </b>{' '}
                  </>
                )}
                {t('console.home.before', { value: before })}
              </small>
            </dd>
          )}
        </div>
      ))}
    </dl>
  )
}

function Files({ query }: { readonly query: string }) {
  const t = useT()
  return (
    <p className="row wrapx">
      {(['xlsx', 'csv'] as const).map((format) => (
        <a
          key={format}
          className="btn edge sm"
          href={`/api/console/reports/file?${query}&format=${format}`}
          download
        >
          <Icon name="download" />
          {t('console.reports.download', { format: format.toUpperCase() })}
        </a>
      ))}
    </p>
  )
}
