import { useState } from 'react'
import { Icon } from '#ui/icon.tsx'
import { callConsole } from '../browser/call.ts'
import { refreshPage } from '../browser/navigation.ts'
import { Fault } from '../kit/fault.tsx'
import { Labelled } from '../kit/labelled.tsx'
import { State } from '../kit/state.tsx'
import { useAttempt } from '../kit/use-attempt.ts'
import { Pager } from '../kit/pager.tsx'
import { CONSOLE_PATH } from '../routes.ts'
import { useT } from '../words.tsx'
import { Batches } from './batches.tsx'
import { ImportForm } from './import-form.tsx'
import { Import } from './import.tsx'
import type { ShelfData } from './load.ts'

/** One shelf: its stock, what is being imported, and the batches it came in. */
export function Page({ data }: { readonly data: ShelfData }) {
  const t = useT()
  const { row } = data
  return (
    <>
      <div className="pg">
        <div>
          <a className="back" href={`${CONSOLE_PATH}/keys`}>
            <Icon name="left" />
            {t('console.keys.nav')}
          </a>
          <h1 dir="auto">{row.name}</h1>
          <p dir="auto">{row.sub}</p>
        </div>
      </div>
      <section className="panel stack">
        <dl className="dl">
          <dt>{t('console.keys.free')}</dt>
          <dd>
            <b>{row.free}</b> <State look={row.look} text={row.state} />
          </dd>
          <dt>{t('console.keys.reserved')}</dt>
          <dd>{row.reserved}</dd>
          <dt>{t('console.keys.sold90')}</dt>
          <dd>{row.sold}</dd>
          {row.values.length > 0 && (
            <>
              <dt>{t('console.keys.value')}</dt>
              <dd>
                {row.values.map((value) => (
                  <bdi key={value} className="money">
                    {value}{' '}
                  </bdi>
                ))}
              </dd>
            </>
          )}
        </dl>
        {data.mayImport && (
          <LowDays item={row.item} days={data.lowDays} version={data.version} key={data.version} />
        )}
      </section>
      {data.imports.map((one) => (
        <Import key={one.id} row={one} mayImport={data.mayImport} />
      ))}
      {data.mayImport && (
        <ImportForm item={row.item} isPictures={data.isPictures} currencies={data.currencies} />
      )}
      {data.past.map((one) => (
        <Import key={one.id} row={one} mayImport={false} />
      ))}
      <Batches rows={data.batches} />
      <Pager older={data.older} />
    </>
  )
}

/** Below how many days of cover somebody is told. */
function LowDays({
  item,
  days,
  version,
}: {
  readonly item: string
  readonly days: number | null
  readonly version: number
}) {
  const t = useT()
  const attempt = useAttempt()
  const [text, setText] = useState(days === null ? '' : String(days))
  async function save() {
    const body = { item, days: text.trim() === '' ? null : Number(text), version }
    if (await attempt.run(() => callConsole('keys/low_days', body))) refreshPage()
  }
  return (
    <form
      className="stack-2"
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <Labelled
        id="low-days"
        label={t('console.keys.lowDays')}
        hint={t('console.keys.lowDaysHint')}
        fault={attempt.fields['days']}
      >
        <div className="row">
          <input
            className="input num"
            id="low-days"
            inputMode="numeric"
            type="number"
            min={0}
            max={365}
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
          <button type="submit" className="btn edge" disabled={attempt.isBusy}>
            {t('console.keys.save')}
          </button>
        </div>
      </Labelled>
      <Fault text={attempt.fault} />
    </form>
  )
}
