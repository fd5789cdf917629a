import { useState, type FormEvent } from 'react'
import { RHYTHMS, type Rhythm } from '#features/office/report/rules.ts'
import { callConsole } from '../browser/call.ts'
import { refreshPage } from '../browser/navigation.ts'
import { Fault } from '../kit/fault.tsx'
import { LineField } from '../kit/fields.tsx'
import { useAttempt } from '../kit/use-attempt.ts'
import { CONSOLE_PATH } from '../routes.ts'
import { useT } from '../words.tsx'
import { REPORTS_PATH } from './address.ts'
import type { ReportsData, ShownReport } from './load.ts'
import type { SavedLine } from './saved.ts'

const NAME_MAX = 80

/** What one keeps and what others share, each with how often it comes by mail. */
export function SavedList({ data: { saved, current, hasEmail } }: { readonly data: ReportsData }) {
  const t = useT()
  return (
    <section className="panel flush" aria-labelledby="saved-title">
      <div className="panel-h">
        <h2 id="saved-title">{t('console.reports.saved')}</h2>
      </div>
      {saved.length === 0 ? (
        <p className="line-t pad">{t('console.reports.noneSaved')}</p>
      ) : (
        <ul className="inbox line-t">
          {saved.map((line) => (
            <SavedRow
              key={line.id}
              line={line}
              isCurrent={line.id === current}
              hasEmail={hasEmail}
            />
          ))}
        </ul>
      )}
      {!hasEmail && saved.length > 0 && (
        <p className="line-t pad hint">
          {t('console.reports.noEmail')}{' '}
          <a className="link" href={`${CONSOLE_PATH}/me`}>
            {t('console.open')}
          </a>
        </p>
      )}
    </section>
  )
}

function SavedRow({
  line,
  isCurrent,
  hasEmail,
}: {
  readonly line: SavedLine
  readonly isCurrent: boolean
  readonly hasEmail: boolean
}) {
  const t = useT()
  const attempt = useAttempt()
  const after = (done: unknown) => done && refreshPage()
  const mail = (rhythm: Rhythm | null) =>
    void attempt.run(() => callConsole('reports/mail', { id: line.id, rhythm })).then(after)
  const remove = () =>
    void attempt.run(() => callConsole('reports/remove', { id: line.id })).then(after)
  return (
    <li className="row between wrapx">
      <span>
        <a
          className="link"
          href={`${REPORTS_PATH}?${line.query}`}
          aria-current={isCurrent ? 'page' : undefined}
        >
          <bdi>{line.name}</bdi>
        </a>
        <br />
        <small>
          {line.reportName}
          {!line.isOwn && <> · {t('console.reports.sharedBy', { name: line.owner })}</>}
          {line.isOwn && line.isShared && <> · {t('console.reports.isShared')}</>}
          {line.next !== null && <> · {t('console.reports.nextMail', { at: line.next })}</>}
        </small>
        <Fault text={attempt.fields['rhythm'] ?? attempt.fault} />
      </span>
      <span className="row wrapx">
        <label className="row">
          <span className="sr">{t('console.reports.mailOf', { name: line.name })}</span>
          <select
            className="input"
            value={line.rhythm ?? ''}
            disabled={attempt.isBusy || (!hasEmail && line.rhythm === null)}
            onChange={(event) => mail(RHYTHMS.find((one) => one === event.target.value) ?? null)}
          >
            <option value="">{t('console.reports.mail.never')}</option>
            {RHYTHMS.map((rhythm) => (
              <option key={rhythm} value={rhythm}>
                {t(`console.reports.mail.${rhythm}`)}
              </option>
            ))}
          </select>
        </label>
        {line.isOwn && (
          <button
            type="button"
            className="btn edge sm"
            disabled={attempt.isBusy}
            aria-label={t('console.reports.removeNamed', { name: line.name })}
            onClick={remove}
          >
            {t('console.me.remove')}
          </button>
        )}
      </span>
    </li>
  )
}

/** The one of one's own that is shown, whose filters may be others by now. */
export const ownOf = ({ saved, current }: Pick<ReportsData, 'saved' | 'current'>) =>
  saved.find(({ id, isOwn }) => id === current && isOwn)

/** Keeps what is shown, or changes the one of one's own that it came from. */
export function SaveForm({
  data,
  shown,
}: {
  readonly data: ReportsData
  readonly shown: ShownReport
}) {
  const t = useT()
  const attempt = useAttempt()
  const own = ownOf(data)
  const [name, setName] = useState(own?.name ?? '')
  const [isShared, setShared] = useState(own?.isShared ?? false)
  const wish = {
    name,
    shared: isShared,
    choice: Object.fromEntries(new URLSearchParams(shown.query)),
  }
  async function save(isNew: boolean) {
    const made =
      own && !isNew
        ? await attempt.run(() =>
            callConsole('reports/change', { id: own.id, version: own.version, ...wish }),
          )
        : await attempt.run(() => callConsole('reports/save', wish))
    if (made) refreshPage()
  }
  return (
    <form
      className="panel stack-2"
      onSubmit={(event: FormEvent) => {
        event.preventDefault()
        void save(false)
      }}
    >
      <h2>{t('console.reports.save')}</h2>
      <LineField
        label={t('console.people.name')}
        value={name}
        max={NAME_MAX}
        write={setName}
        fault={attempt.fields['name']}
        required
      />
      <label className="check">
        <input
          type="checkbox"
          checked={isShared}
          onChange={(event) => setShared(event.target.checked)}
        />
        <span>{t('console.reports.share')}</span>
      </label>
      <Fault text={attempt.fault} />
      <div className="row">
        <button type="submit" className="btn solid" disabled={attempt.isBusy}>
          {t('console.settings.save')}
        </button>
        {own && (
          <button
            type="button"
            className="btn edge"
            disabled={attempt.isBusy || name.trim() === ''}
            onClick={() => void save(true)}
          >
            {t('console.reports.saveNew')}
          </button>
        )}
      </div>
    </form>
  )
}
