import { useId, useState } from 'react'
import { Icon } from '#ui/icon.tsx'
import { callConsole, readConsole } from '../browser/call.ts'
import { Fault } from '../kit/fault.tsx'
import { useAttempt } from '../kit/use-attempt.ts'
import { CONSOLE_PATH } from '../routes.ts'
import { useT } from '../words.tsx'

/** What the shop says that a file would do. */
interface Tried {
  readonly version: string
  readonly changes: readonly {
    readonly key: string
    readonly line: number
    readonly before: unknown
    readonly after: unknown
  }[]
  readonly faults: readonly {
    readonly line: number
    readonly kind: 'json' | 'format' | 'unknown' | 'value' | 'elsewhere'
    readonly key: string
    readonly text: string
  }[]
}

/** All settings out of the shop as one file, and into it. */
export function Page() {
  const t = useT()
  return (
    <>
      <div className="pg">
        <div>
          <a className="back" href={`${CONSOLE_PATH}/settings`}>
            <Icon name="left" />
            {t('console.settings.nav')}
          </a>
          <h1>{t('console.settingsFile.nav')}</h1>
          <p>{t('console.settingsFile.lead')}</p>
        </div>
      </div>
      <Export />
      <Import />
    </>
  )
}

function Export() {
  const t = useT()
  const attempt = useAttempt()
  async function save() {
    const done = await attempt.run(() => readConsole<{ readonly text: string }>('settings/export'))
    if (!done) return
    const address = URL.createObjectURL(new Blob([done.text], { type: 'application/json' }))
    const link = document.createElement('a')
    link.href = address
    link.download = 'settings.json'
    link.click()
    URL.revokeObjectURL(address)
  }
  return (
    <section className="panel stack-2" aria-labelledby="export">
      <h2 id="export">{t('console.settingsFile.export')}</h2>
      <p className="hint">{t('console.settingsFile.exportText')}</p>
      <Fault text={attempt.fault} />
      <div>
        <button
          type="button"
          className="btn edge"
          disabled={attempt.isBusy}
          onClick={() => void save()}
        >
          <Icon name="download" />
          {t('console.settingsFile.save')}
        </button>
      </div>
    </section>
  )
}

function Import() {
  const t = useT()
  const id = useId()
  const attempt = useAttempt()
  const [text, setText] = useState('')
  const [tried, setTried] = useState<Tried | null>(null)
  const [changed, setChanged] = useState<number | null>(null)

  async function look(given: string) {
    setText(given)
    setTried(null)
    setChanged(null)
    if (given.trim() === '') return
    setTried(
      await attempt.run(() => callConsole<Tried>('settings/import_preview', { text: given })),
    )
  }

  async function take({ version }: Tried) {
    const done = await attempt.run(() =>
      callConsole<{ readonly changed: number }>('settings/import', { text, version }),
    )
    if (!done) return
    setTried(null)
    setText('')
    setChanged(done.changed)
  }

  const isReady = tried !== null && tried.faults.length === 0 && tried.changes.length > 0
  return (
    <section className="panel stack" aria-labelledby="import">
      <h2 id="import">{t('console.settingsFile.import')}</h2>
      <p className="hint">{t('console.settingsFile.importText')}</p>
      <div className="field">
        <label htmlFor={id}>{t('console.settingsFile.file')}</label>
        <input
          id={id}
          className="input"
          type="file"
          accept=".json,application/json"
          onChange={(event) => {
            const [file] = event.target.files ?? []
            if (file) void file.text().then(look)
          }}
        />
      </div>
      {tried && <TriedBox tried={tried} />}
      <Fault text={attempt.fault ?? attempt.fields['text'] ?? null} />
      <p role="status" className={changed === null ? 'sr' : 'note ok'}>
        {changed !== null && t('console.settingsFile.done', { count: changed })}
      </p>
      {isReady && (
        <div>
          <button
            type="button"
            className="btn solid"
            disabled={attempt.isBusy}
            onClick={() => void take(tried)}
          >
            {t('console.settingsFile.take')}
          </button>
        </div>
      )}
    </section>
  )
}

/** Before and after of each setting, and every fault by its line. */
function TriedBox({ tried: { changes, faults } }: { readonly tried: Tried }) {
  const t = useT()
  const shown = (value: unknown) =>
    value === null ? t('console.settings.none') : JSON.stringify(value)
  return (
    <section className="fx" aria-live="polite">
      <h3>
        {t('console.effect')}
        <span>{t('console.acts.notYet')}</span>
      </h3>
      <ul>
        {faults.map((fault) => (
          <li key={`${fault.line} ${fault.key} ${fault.text}`}>
            <span className="down">
              {t('console.settingsFile.line', { line: fault.line })} <bdi>{fault.key}</bdi>{' '}
              {t(`console.settingsFile.fault.${fault.kind}`)}
            </span>
            {fault.kind === 'value' && (
              <small className="mono" lang="en" dir="ltr">
                {fault.text}
              </small>
            )}
          </li>
        ))}
        {changes.map(({ key, before, after }) => (
          <li key={key}>
            <span className="mono" dir="ltr">
              {key}
            </span>
            <span className="chg">
              <bdi className="from">{shown(before)}</bdi>
              <Icon name="arrow" className="flip" />
              <bdi className="to">{shown(after)}</bdi>
            </span>
          </li>
        ))}
        {changes.length === 0 && faults.length === 0 && (
          <li>
            <span>{t('console.settingsFile.same')}</span>
          </li>
        )}
      </ul>
    </section>
  )
}
