import { Views } from '../kit/views.tsx'
import { useT } from '../words.tsx'
import { Bank } from './bank-panel.tsx'
import { Ledger } from './ledger-panel.tsx'
import { Methods } from './methods-panel.tsx'
import { Providers } from './providers-panel.tsx'
import type { MoneyData } from './load.ts'
import { Differences, Unmatched } from './open-money.tsx'
import { Tax } from './tax-panel.tsx'

/** The shop's money: where it arrives, what matches no order, what differs, and the books. */
export function Page({ data }: { readonly data: MoneyData }) {
  const t = useT()
  return (
    <>
      <div className="pg">
        <div>
          <h1>{t('console.money.nav')}</h1>
          <p>{t('console.money.lead', { count: openCount(data) })}</p>
        </div>
      </div>
      <Views
        views={data.views.map((name) => ({
          name,
          text: t(`console.money.view.${name}`),
          count: data.counts[name] || null,
          isUrgent: true,
        }))}
        current={data.shown.view}
        address={(view) => `/money?view=${view}`}
      />
      <Shown data={data} />
    </>
  )
}

const openCount = ({ counts }: MoneyData) =>
  (counts.bank ?? 0) + (counts.unmatched ?? 0) + (counts.differences ?? 0)

function Shown({ data: { shown, mayNote } }: { readonly data: MoneyData }) {
  switch (shown.view) {
    case 'providers':
      return <Providers rows={shown.rows} mayNote={mayNote} />
    case 'methods':
      return <Methods shown={shown} />
    case 'bank':
      return <Bank shown={shown} mayNote={mayNote} />
    case 'unmatched':
      return <Unmatched shown={shown} mayNote={mayNote} />
    case 'differences':
      return <Differences shown={shown} mayNote={mayNote} />
    case 'tax':
      return <Tax shown={shown} />
    case 'ledger':
      return <Ledger shown={shown} />
  }
}
