import { callConsole } from '../browser/call.ts'
import { refreshPage } from '../browser/navigation.ts'
import { Fault } from '../kit/fault.tsx'
import { State } from '../kit/state.tsx'
import { useAttempt } from '../kit/use-attempt.ts'
import { CONSOLE_PATH } from '../routes.ts'
import { useT } from '../words.tsx'
import type { LookedAt } from './load.ts'
import { STATE_TEXTS } from './state-texts.ts'

const COUNTED = ['items', 'products', 'brands', 'changed', 'suspended'] as const

/** What a file would do, what is wrong with it and where, and the word that has it done; later what came of it. */
export function Looked({ file, maySend }: { readonly file: LookedAt; readonly maySend: boolean }) {
  const t = useT()
  return (
    <section className="panel stack-2" aria-labelledby="file-name" aria-live="polite">
      <div className="row between wrapx">
        <h2 id="file-name">
          <bdi>{file.name}</bdi>
        </h2>
        <State look={file.look} text={t(STATE_TEXTS[file.state])} />
      </div>
      {file.percent !== null && (
        <progress max={100} value={file.percent} aria-label={t(STATE_TEXTS[file.state])} />
      )}
      {file.failure !== null && <p>{t(`console.goodsFiles.failure.${file.failure}`)}</p>}
      {file.isMoved && file.state === 'checked' && (
        <p className="note warn">{t('console.goodsFiles.moved')}</p>
      )}
      {file.done ? <Done file={file} done={file.done} /> : <Told file={file} />}
      {file.state === 'checked' && maySend && <Take file={file} />}
      {file.faults.length > 0 && <Faults file={file} />}
    </section>
  )
}

function Told({ file }: { readonly file: LookedAt }) {
  const t = useT()
  if (file.state !== 'checked' && file.state !== 'taking') return null
  const shown = COUNTED.filter((name) => file.numbers[name] > 0)
  return (
    <>
      {shown.length === 0 && <p>{t('console.goodsFiles.nothing')}</p>}
      <ul className="stack-2 small">
        {shown.map((name) => (
          <li key={name}>{t(`console.goodsFiles.${name}`, { count: file.numbers[name] })}</li>
        ))}
        {file.prices && <li>{t('console.goodsFiles.prices', file.prices)}</li>}
        {file.belowCost > 0 && (
          <li>
            {t('console.products.effect.belowCost')}: {file.belowCost}
          </li>
        )}
        {file.belowFloor > 0 && (
          <li>
            {t('console.products.belowFloor')}: {file.belowFloor}.{' '}
            {t('console.products.effect.belowFloorText')}
          </li>
        )}
        {file.left > 0 && <li>{t('console.goodsFiles.left', { count: file.left })}</li>}
      </ul>
    </>
  )
}

function Done({
  file,
  done,
}: {
  readonly file: LookedAt
  readonly done: NonNullable<LookedAt['done']>
}) {
  const t = useT()
  return (
    <>
      <ul className="stack-2 small">
        <li>{t('console.goodsFiles.items', { count: done.made })}</li>
        <li>{t('console.goodsFiles.changed', { count: done.changed })}</li>
        {done.waits > 0 && <li>{t('console.goodsFiles.waits', { count: done.waits })}</li>}
        {done.left > 0 && <li>{t('console.goodsFiles.left', { count: done.left })}</li>}
      </ul>
      {file.kind === 'csv_in' && <p className="hint">{t('console.goodsFiles.undoText')}</p>}
      <a className="btn edge" href={`${CONSOLE_PATH}/products?changed=1`}>
        {t('console.products.nav')}
      </a>
    </>
  )
}

function Take({ file }: { readonly file: LookedAt }) {
  const t = useT()
  const attempt = useAttempt()
  const call = (path: string, body: Readonly<Record<string, unknown>>) =>
    void attempt.run(() => callConsole(path, { id: file.id, ...body })).then(() => refreshPage())
  return (
    <>
      <Fault text={attempt.fault} />
      <div className="row wrapx">
        {file.canTake && (
          <button
            type="button"
            className="btn solid"
            disabled={attempt.isBusy}
            onClick={() => call('goods/file/take', { hash: file.hash })}
          >
            {t(file.left > 0 ? 'console.goodsFiles.takeRest' : 'console.goodsFiles.take')}
          </button>
        )}
        <button
          type="button"
          className="btn edge"
          disabled={attempt.isBusy}
          onClick={() => call('goods/file/cancel', {})}
        >
          {t('console.exports.cancel')}
        </button>
      </div>
    </>
  )
}

function Faults({ file }: { readonly file: LookedAt }) {
  const t = useT()
  return (
    <div className="stack-2">
      <h3>{t('console.goodsFiles.faults', { count: file.faultCount })}</h3>
      {file.kind === 'folder_in' && <p className="hint">{t('console.goodsFiles.folderFaults')}</p>}
      <ul className="inbox">
        {file.faults.map((fault) => (
          <li key={fault.key}>
            {fault.line !== null && (
              <b>
                {t('console.goodsFiles.line')} {fault.line}{' '}
              </b>
            )}
            <bdi className="mono">{fault.place}</bdi>{' '}
            {fault.shown !== '' && <bdi className="hint">{fault.shown}</bdi>}
            <br />
            <span lang={file.kind === 'folder_in' ? 'en' : undefined}>{fault.text}</span>
            {fault.why !== null && (
              <small lang="en" dir="ltr">
                {' '}
                {fault.why}
              </small>
            )}
          </li>
        ))}
      </ul>
    </div>
  )
}
