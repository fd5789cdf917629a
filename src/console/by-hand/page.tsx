import { Fragment, useState } from 'react'
import { newActKey } from '../browser/act-key.ts'
import { callConsole } from '../browser/call.ts'
import { refreshPage } from '../browser/navigation.ts'
import { Effect, useEffectOf } from '../kit/effect.tsx'
import { Fault } from '../kit/fault.tsx'
import { Pager } from '../kit/pager.tsx'
import { State } from '../kit/state.tsx'
import { useAttempt, type Attempt } from '../kit/use-attempt.ts'
import { Choice, TextField } from '../kit/fields.tsx'
import { OrderLink } from '../kit/order-link.tsx'
import { useT } from '../words.tsx'
import type { ByHandData, HandRow } from './load.ts'

const PROOF_MAX = 200

/** Paid units that a person delivers, longest paid first; beside them what one has taken up. */
export function Page({ data }: { readonly data: ByHandData }) {
  const t = useT()
  const attempt = useAttempt()
  const [said, say] = useState<string | null>(null)
  async function claim(unit: string | null) {
    say(null)
    if (await attempt.run(() => callConsole('by_hand/claim', { unit }))) refreshPage()
  }
  const mine = data.rows.filter(({ isMine }) => isMine)
  return (
    <>
      <div className="pg">
        <div>
          <h1>{t('console.by-hand.nav')}</h1>
          <p>{t('console.by-hand.lead')}</p>
        </div>
        {data.rows.some(({ isFree }) => isFree) && (
          <div className="acts">
            <button
              type="button"
              className="btn solid"
              disabled={attempt.isBusy}
              onClick={() => void claim(null)}
            >
              {t('console.by-hand.claimNext')}
            </button>
          </div>
        )}
      </div>
      <Fault text={attempt.fault} />
      <p role="status" className={said === null ? 'sr' : 'note ok'}>
        {said}
      </p>
      <div className="g2 dp">
        <section className="panel flush zero-s">
          {data.rows.length === 0 ? (
            <div className="empty">
              <h2>{t('console.by-hand.none')}</h2>
              <p>{t('console.by-hand.noneText')}</p>
            </div>
          ) : (
            <Queue data={data} isBusy={attempt.isBusy} claim={(unit) => void claim(unit)} />
          )}
          <Pager next={data.next} />
        </section>
        <aside className="stack">
          {mine.map((row) => (
            <Mine key={row.unit} row={row} data={data} say={say} />
          ))}
        </aside>
      </div>
    </>
  )
}

function Queue({
  data,
  isBusy,
  claim,
}: {
  readonly data: ByHandData
  readonly isBusy: boolean
  readonly claim: (unit: string) => void
}) {
  const t = useT()
  return (
    <div className="scrollx">
      <table className="fold">
        <thead>
          <tr>
            <th>{t('console.orders.goods')}</th>
            <th>{t('console.orders.order')}</th>
            <th className="num">{t('console.orders.age')}</th>
            <th>{t('console.orders.state')}</th>
            <th>
              <span className="sr">{t('console.by-hand.claim')}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {data.rows.map((row) => (
            <tr
              key={row.unit}
              className={row.unit === data.wanted || row.isMine ? 'on' : undefined}
            >
              <td className="t">
                <bdi>{row.goods}</bdi> <small>{row.place}</small>
              </td>
              <td className="m">
                <OrderLink number={row.order} />
              </td>
              <td className="num a">{row.waits}</td>
              <td className="s">
                <State look={row.look} text={row.state} />
              </td>
              <td className="end">
                {row.isFree && (
                  <button
                    type="button"
                    className="btn edge sm"
                    disabled={isBusy}
                    onClick={() => claim(row.unit)}
                  >
                    {t('console.by-hand.claim')}
                  </button>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

type Act = (path: string, body: Readonly<Record<string, unknown>>) => Promise<void>

interface MineProps {
  readonly row: HandRow
  readonly data: ByHandData
  readonly say: (text: string) => void
}

/** A unit that one has taken up: where it goes, what shows that it was delivered, or why it cannot be. */
function Mine({ row, data, say }: MineProps) {
  const t = useT()
  const attempt = useAttempt()
  const act: Act = async (path, body) => {
    const outcome = await attempt.run(() =>
      callConsole<{ readonly waits?: string | null }>(`by_hand/${path}`, {
        unit: row.unit,
        ...body,
      }),
    )
    if (!outcome) return
    say(t(outcome.waits ? 'console.acts.waits' : 'console.acts.done'))
    refreshPage()
  }
  return (
    <section className="panel stack first-s" aria-label={row.goods}>
      <div>
        <h2>
          <bdi>{row.goods}</bdi> <small>{row.place}</small>
        </h2>
        <p className="small muted">{row.state}</p>
      </div>
      <dl className="dl">
        {row.account.map(({ name, value }) => (
          <Fragment key={name}>
            <dt>{name}</dt>
            <dd>
              <bdi className="mono">{value}</bdi>
            </dd>
          </Fragment>
        ))}
      </dl>
      <PassOn colleagues={data.colleagues} isBusy={attempt.isBusy} act={act} />
      <Finish row={row} failures={data.failures} attempt={attempt} act={act} />
    </section>
  )
}

function PassOn({
  colleagues,
  isBusy,
  act,
}: {
  readonly colleagues: ByHandData['colleagues']
  readonly isBusy: boolean
  readonly act: Act
}) {
  const t = useT()
  const [colleague, setColleague] = useState(colleagues[0]?.name ?? '')
  return (
    <div className="row wrapx">
      <button
        type="button"
        className="btn ghost sm"
        disabled={isBusy}
        onClick={() => void act('release', {})}
      >
        {t('console.by-hand.release')}
      </button>
      {colleagues.length > 0 && (
        <>
          <Choice
            label={t('console.by-hand.colleague')}
            value={colleague}
            options={colleagues.map(({ name, shown }) => ({ value: name, text: shown }))}
            choose={setColleague}
          />
          <button
            type="button"
            className="btn edge sm"
            disabled={isBusy}
            onClick={() => void act('hand_over', { to: colleague })}
          >
            {t('console.by-hand.handOver')}
          </button>
        </>
      )}
    </div>
  )
}

interface FinishProps {
  readonly row: HandRow
  readonly failures: ByHandData['failures']
  readonly attempt: Attempt
  readonly act: Act
}

function Finish({ row, failures, attempt, act }: FinishProps) {
  const t = useT()
  const [key] = useState(newActKey)
  const [failKey] = useState(newActKey)
  const [proof, setProof] = useState('')
  const [failure, setFailure] = useState<string>(failures[0] ?? 'other')
  const [isFailing, setFailing] = useState(false)
  return (
    <form
      className="stack-2"
      onSubmit={(event) => {
        event.preventDefault()
        void (isFailing
          ? act('fail', { reason: failure, key: failKey })
          : act('done', { proof, key }))
      }}
    >
      {isFailing ? (
        <Choice
          label={t('console.reason')}
          value={failure}
          options={failures.map((value) => ({
            value,
            text: t(`console.by-hand.why.${value}`),
          }))}
          choose={setFailure}
        />
      ) : (
        <TextField
          label={t('console.acts.proof')}
          max={PROOF_MAX}
          value={proof}
          write={setProof}
          fault={attempt.fields['proof']}
        />
      )}
      <TellEffect row={row} act={isFailing ? 'fail' : 'complete'} />
      <Fault text={attempt.fault} />
      <div className="row wrapx">
        <button type="submit" className="btn solid" disabled={attempt.isBusy}>
          {t(isFailing ? 'console.by-hand.fail' : 'console.by-hand.done')}
        </button>
        <button type="button" className="btn edge" onClick={() => setFailing(!isFailing)}>
          {t(isFailing ? 'console.back' : 'console.by-hand.cannot')}
        </button>
      </div>
    </form>
  )
}

function TellEffect({ row, act }: { readonly row: HandRow; readonly act: 'complete' | 'fail' }) {
  return <Effect told={useEffectOf({ order: row.order, act, units: [row.unit] })} />
}
