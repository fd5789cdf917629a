import { useEffect } from 'react'
import { Icon } from '#ui/icon.tsx'
import { callConsole } from '../browser/call.ts'
import { refreshPage } from '../browser/navigation.ts'
import { Fault } from '../kit/fault.tsx'
import { State } from '../kit/state.tsx'
import { useAttempt } from '../kit/use-attempt.ts'
import { CONSOLE_PATH } from '../routes.ts'
import { useT } from '../words.tsx'
import { Looked } from './looked.tsx'
import type { FileRow, GoodsFilesData } from './load.ts'
import { Send } from './send.tsx'
import { STATE_TEXTS } from './state-texts.ts'

const LOOKED_EVERY_MS = 2_000

/** Goods that come in and go out as files: looked through and done by the worker, also while the page is closed. */
export function Page({ data }: { readonly data: GoodsFilesData }) {
  const t = useT()
  useEffect(() => {
    if (!data.isWorking) return
    const timer = setInterval(refreshPage, LOOKED_EVERY_MS)
    return () => clearInterval(timer)
  }, [data.isWorking])
  return (
    <>
      <div className="pg">
        <div>
          <a className="back" href={`${CONSOLE_PATH}/products`}>
            <Icon name="left" />
            {t('console.products.nav')}
          </a>
          <h1>{t('console.goodsFiles.title')}</h1>
          <p>{t('console.goodsFiles.lead')}</p>
        </div>
      </div>
      {data.chosen && <Looked key={data.chosen.id} file={data.chosen} maySend={data.maySend} />}
      {data.maySend && <Send data={data} />}
      {data.makes.length > 0 && <Make makes={data.makes} />}
      <section
        className="panel flush"
        aria-live="polite"
        aria-label={t('console.goodsFiles.title')}
      >
        {data.files.length === 0 ? (
          <div className="empty">
            <h2>{t('console.goodsFiles.none')}</h2>
            <p>{t('console.goodsFiles.noneText')}</p>
          </div>
        ) : (
          <Files files={data.files} />
        )}
      </section>
    </>
  )
}

/** All goods as a file. */
function Make({ makes }: Pick<GoodsFilesData, 'makes'>) {
  const t = useT()
  const attempt = useAttempt()
  return (
    <section className="panel stack-2" aria-labelledby="files-make">
      <h2 id="files-make">{t('console.goodsFiles.make')}</h2>
      <p className="hint">{t('console.goodsFiles.makeText')}</p>
      <div className="row wrapx">
        {makes.map((kind) => (
          <button
            key={kind}
            type="button"
            className="btn edge"
            disabled={attempt.isBusy}
            onClick={() =>
              void attempt
                .run(() => callConsole('goods/file/make', { kind }))
                .then((done) => done && refreshPage())
            }
          >
            {t(`console.goodsFiles.kind.${kind}`)}
          </button>
        ))}
      </div>
      <Fault text={attempt.fault} />
    </section>
  )
}

function Files({ files }: Pick<GoodsFilesData, 'files'>) {
  const t = useT()
  const attempt = useAttempt()
  return (
    <>
      <ul className="inbox">
        {files.map((file) => (
          <li key={file.id} className="row between wrapx">
            <FileFacts file={file} />
            <span className="row">
              {file.mayTake && (
                <a
                  className="btn edge sm"
                  href={`/api/console/goods/file/out?id=${file.id}`}
                  download
                >
                  {t('console.exports.take')}
                </a>
              )}
              {file.mayCancel && (
                <button
                  type="button"
                  className="btn edge sm"
                  disabled={attempt.isBusy}
                  onClick={() =>
                    void attempt
                      .run(() => callConsole('goods/file/cancel', { id: file.id }))
                      .then((done) => done && refreshPage())
                  }
                >
                  {t('console.exports.cancel')}
                </button>
              )}
            </span>
          </li>
        ))}
      </ul>
      <Fault text={attempt.fault} />
    </>
  )
}

const isIn = ({ kind }: FileRow) => kind === 'csv_in' || kind === 'folder_in'

/** What a file is, whose, and how far it is. */
function FileFacts({ file }: { readonly file: FileRow }) {
  const t = useT()
  return (
    <span>
      {isIn(file) ? (
        <a className="go" href={`${CONSOLE_PATH}/products/files?file=${file.id}`}>
          <bdi>{file.name}</bdi>
        </a>
      ) : (
        <b>
          <bdi>{file.name}</bdi>
        </b>
      )}{' '}
      <State look={file.look} text={t(STATE_TEXTS[file.state])} />
      <br />
      <small>
        {t(`console.goodsFiles.kind.${file.kind}`)} · <bdi>{file.by}</bdi>, {file.at}
      </small>
      {file.failure !== null && (
        <>
          <br />
          <small>{t(`console.goodsFiles.failure.${file.failure}`)}</small>
        </>
      )}
      {file.percent !== null && (
        <>
          <br />
          <progress max={100} value={file.percent} aria-label={t(STATE_TEXTS[file.state])} />
        </>
      )}
    </span>
  )
}
