import { useState } from 'react'
import { Icon } from '#ui/icon.tsx'
import { MoreMenu } from '../kit/more-menu.tsx'
import { State } from '../kit/state.tsx'
import { Story } from '../kit/story.tsx'
import { Thumb } from '../kit/thumb.tsx'
import { CONSOLE_PATH } from '../routes.ts'
import { useConsoleWords, useT } from '../words.tsx'
import { ActPanel, type Chosen } from './act-panel.tsx'
import {
  Evidence,
  Invoices,
  Mails,
  Movements,
  Payments,
  Prices,
  Refunds,
  Summary,
} from './books.tsx'
import type { OrderData, UnitData } from './load.ts'
import { useLookers } from './use-lookers.ts'

/** One order: its units, what happened, its money, and what may be done with it. */
export function Page({ data }: { readonly data: OrderData }) {
  const { order } = data
  const [chosen, choose] = useState<Chosen | null>(null)
  const [said, say] = useState<string | null>(null)
  const open = (next: Chosen) => {
    say(null)
    choose(next)
  }
  return (
    <>
      <div className="pg">
        <Title order={order} />
        <Acts acts={data.acts} chosen={chosen?.act ?? null} open={open} />
      </div>
      <p>
        {data.lead} <Lookers order={order.number} me={data.me} />
      </p>
      <p role="status" className={said === null ? 'sr' : 'note ok'}>
        {said}
      </p>
      <div className="g2 dp w">
        <div className="stack">
          <Units data={data} open={open} />
          <Story lines={data.story} />
          <Movements data={data} />
          <Prices data={data} />
        </div>
        <aside className="stack">
          {chosen && (
            <ActPanel
              key={JSON.stringify(chosen)}
              data={data}
              chosen={chosen}
              close={() => choose(null)}
              done={(text) => {
                choose(null)
                say(text)
              }}
            />
          )}
          <Facts data={data} open={open} />
        </aside>
      </div>
    </>
  )
}

/** Where there are more than three, what decides nothing stands behind one button. */
const SHOWN_ACTS = 3
const DECIDES_NOTHING: ReadonlySet<OrderData['acts'][number]> = new Set(['note', 'send_mail'])

function Acts({
  acts,
  chosen,
  open,
}: {
  readonly acts: OrderData['acts']
  readonly chosen: Chosen['act'] | null
  readonly open: (chosen: Chosen) => void
}) {
  const t = useT()
  const isFolded = acts.length > SHOWN_ACTS
  const shown = acts.filter((act) => !isFolded || !DECIDES_NOTHING.has(act))
  const others = acts.filter((act) => !shown.includes(act))
  const button = (act: OrderData['acts'][number]) => (
    <button
      key={act}
      type="button"
      className="btn edge"
      aria-pressed={chosen === act}
      onClick={() => open({ act })}
    >
      {t(`console.acts.name.${act}`)}
    </button>
  )
  return (
    <div className="acts row wrapx">
      {shown.map(button)}
      {others.length > 0 && <MoreMenu>{others.map(button)}</MoreMenu>}
    </div>
  )
}

function Title({ order }: Pick<OrderData, 'order'>) {
  const t = useT()
  return (
    <div>
      <a className="back" href={`${CONSOLE_PATH}/orders`}>
        <Icon name="left" />
        {t('console.orders.nav')}
      </a>
      <h1 className="row wrapx">
        <bdi className="oid">{order.grouped}</bdi>
        <State look={order.look} text={order.state} />
      </h1>
    </div>
  )
}

/** Who else has this order before them. */
function Lookers({ order, me }: { readonly order: string; readonly me: string }) {
  const { t, language } = useConsoleWords()
  const others = useLookers(order, me)
  const names = new Intl.ListFormat(language, { style: 'short' }).format(others)
  return (
    <span role="status">
      {others.length > 0 && (
        <span className="badge warn">
          {t('console.order.looking', { count: others.length, names })}
        </span>
      )}
    </span>
  )
}

interface OpenProps {
  readonly data: OrderData
  readonly open: (chosen: Chosen) => void
}

/** What is known of its money and its buyer. */
function Facts({ data, open }: OpenProps) {
  return (
    <>
      <Summary data={data} />
      <Payments data={data} />
      <Refunds data={data} open={open} />
      <Invoices data={data} />
      <Mails data={data} />
      <Evidence data={data} />
    </>
  )
}

function Units({ data: { units }, open }: OpenProps) {
  const t = useT()
  return (
    <section className="panel flush zero-s">
      <div className="panel-h">
        <h2>{t('console.order.units')}</h2>
      </div>
      <ul className="units line-t">
        {units.map((unit) => (
          <Unit key={unit.id} unit={unit} open={open} />
        ))}
      </ul>
    </section>
  )
}

function Unit({ unit, open }: { readonly unit: UnitData } & Pick<OpenProps, 'open'>) {
  const t = useT()
  return (
    <li className="with-thumb">
      <Thumb picture={unit.picture} />
      <span>
        <b>
          <bdi>{unit.goods}</bdi>
        </b>
        {unit.notes.map((note) => (
          <small key={note}>
            <bdi>{note}</bdi>
          </small>
        ))}
        {unit.acts.length > 0 && (
          <span className="row wrapx">
            {unit.acts.map((act) =>
              act === 'deliver' ? (
                <a
                  key={act}
                  className="btn edge sm"
                  href={`${CONSOLE_PATH}/by-hand?unit=${unit.id}`}
                >
                  {t('console.acts.name.deliver')}
                </a>
              ) : (
                <button
                  key={act}
                  type="button"
                  className="btn edge sm"
                  onClick={() => open({ act, unit: unit.id })}
                >
                  {t(`console.acts.name.${act}`)}
                </button>
              ),
            )}
          </span>
        )}
      </span>
      <span className="s">
        <State look={unit.look} text={unit.state} />
      </span>
      <span className="p">
        <bdi className="money">{unit.price}</bdi>
      </span>
    </li>
  )
}
