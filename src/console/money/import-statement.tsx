import { useId, useState } from 'react'
import { sendFile } from '../browser/call.ts'
import { refreshPage } from '../browser/navigation.ts'
import { Fault } from '../kit/fault.tsx'
import { Labelled } from '../kit/labelled.tsx'
import { useAttempt } from '../kit/use-attempt.ts'
import { useT } from '../words.tsx'

interface Run {
  readonly statement: string | null
  readonly new: number
  readonly known: number
  readonly skipped: number
  readonly faulty: number
  readonly faults: readonly {
    readonly line: number
    readonly fault: 'date' | 'amount' | 'currency'
  }[]
}

/** A statement is tried first: what is new in it, known, and faulty by line; nothing is written before the second press. */
export function ImportStatement() {
  const t = useT()
  const id = useId()
  const attempt = useAttempt()
  const [file, setFile] = useState<File | null>(null)
  const [tried, setTried] = useState<Run | null>(null)
  async function run(trial: 'yes' | 'no', chosen: File) {
    const done = await attempt.run(() => sendFile<Run>('money/bank/import', { trial }, chosen))
    if (!done) return setTried(null)
    setTried(done)
    if (trial === 'no') {
      setFile(null)
      refreshPage()
    }
  }
  const isDone = tried !== null && tried.statement !== null
  return (
    <section className="panel stack-2" aria-labelledby={`${id}-h`}>
      <h2 id={`${id}-h`}>{t('console.money.import')}</h2>
      <Labelled id={id} label={t('console.money.file')} fault={attempt.fields['file']}>
        <input
          className="input"
          id={id}
          type="file"
          accept=".xml,.csv,.txt"
          disabled={attempt.isBusy}
          onChange={(event) => {
            const chosen = event.target.files?.[0] ?? null
            setFile(chosen)
            setTried(null)
            if (chosen) void run('yes', chosen)
          }}
        />
      </Labelled>
      {tried && <Found tried={tried} isDone={isDone} />}
      {file && tried && !isDone && (
        <div className="row">
          <button
            type="button"
            className="btn solid"
            disabled={attempt.isBusy || tried.new === 0}
            onClick={() => void run('no', file)}
          >
            {t('console.money.importLines', { count: tried.new })}
          </button>
        </div>
      )}
      <Fault text={attempt.fault} />
    </section>
  )
}

function Found({ tried, isDone }: { readonly tried: Run; readonly isDone: boolean }) {
  const t = useT()
  return (
    <section className="fx" aria-live="polite">
      <h3>{t(isDone ? 'console.system.done' : 'console.effect')}</h3>
      <ul>
        <li>
          <span>{t('console.money.newLines')}</span>
          <b>{tried.new}</b>
        </li>
        <li>
          <span>{t('console.money.knownLines')}</span>
          <span>{tried.known}</span>
        </li>
        <li>
          <span>{t('console.money.skippedLines')}</span>
          <span>{tried.skipped}</span>
        </li>
        {tried.faulty > 0 && (
          <li>
            <span>{t('console.money.faultyLines')}</span>
            <b className="down">{tried.faulty}</b>
            <small>
              {tried.faults
                .map(({ line, fault: why }) =>
                  t('console.money.faultyLine', {
                    line,
                    why: t(`console.money.fault.${why}`),
                  }),
                )
                .join('; ')}
            </small>
          </li>
        )}
      </ul>
    </section>
  )
}
