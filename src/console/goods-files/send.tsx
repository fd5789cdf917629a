import { useId, useState, type FormEvent } from 'react'
import { Icon } from '#ui/icon.tsx'
import { sendFile } from '../browser/call.ts'
import { Fault } from '../kit/fault.tsx'
import { Choice } from '../kit/fields.tsx'
import { Labelled } from '../kit/labelled.tsx'
import { useAttempt } from '../kit/use-attempt.ts'
import { CONSOLE_PATH } from '../routes.ts'
import { useT } from '../words.tsx'
import type { GoodsFilesData } from './load.ts'

const KINDS = ['csv_in', 'folder_in'] as const
type Kind = (typeof KINDS)[number]

/** A file is chosen and looked through; one that is too large is told before a byte of it is sent. */
export function Send({ data }: { readonly data: GoodsFilesData }) {
  const t = useT()
  const id = useId()
  const attempt = useAttempt()
  const [file, setFile] = useState<File | null>(null)
  const [kind, setKind] = useState<Kind>('csv_in')
  const [mark, setMark] = useState('')
  const [isOnSale, setOnSale] = useState(false)
  const isTooLarge = file !== null && file.size > data.mostBytes
  const most = t('console.goodsFiles.most', { size: data.mostMegabytes })

  async function send(event: FormEvent) {
    event.preventDefault()
    if (file === null || isTooLarge) return
    const query = {
      kind,
      file: file.name,
      ...(kind === 'csv_in' ? { mark, on_sale: isOnSale ? '1' : '' } : {}),
    }
    const sent = await attempt.run(() => sendFile<{ id: string }>('goods/file/send', query, file))
    if (sent) location.assign(`${CONSOLE_PATH}/products/files?file=${sent.id}`)
  }

  return (
    <section className="panel stack-2" aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>{t('console.goodsFiles.send')}</h2>
      <form className="stack-2" onSubmit={(event) => void send(event)}>
        <div className="row wrapx">
          <Choice
            label={t('console.exports.format')}
            value={kind}
            options={KINDS.map((one) => ({
              value: one,
              text: t(`console.goodsFiles.kind.${one}`),
            }))}
            choose={(one) => setKind(one as Kind)}
          />
          <Labelled
            id={`${id}-file`}
            label={t('console.keys.file')}
            hint={most}
            fault={isTooLarge ? t('error.too_large') : attempt.fields['file']}
          >
            <input
              className="input"
              id={`${id}-file`}
              type="file"
              required
              accept={kind === 'csv_in' ? '.csv,.tsv,.txt,text/csv' : '.zip,application/zip'}
              onChange={(event) => setFile(event.target.files?.[0] ?? null)}
            />
          </Labelled>
          {kind === 'csv_in' && <Mark mark={mark} setMark={setMark} />}
        </div>
        {kind === 'csv_in' && (
          <TableTerms columns={data.columns} isOnSale={isOnSale} setOnSale={setOnSale} />
        )}
        {kind === 'folder_in' && <p className="hint">{t('console.goodsFiles.folderText')}</p>}
        <Fault text={attempt.fault} />
        <button type="submit" className="btn solid" disabled={attempt.isBusy || isTooLarge}>
          <Icon name="check" />
          {t('console.goodsFiles.check')}
        </button>
      </form>
    </section>
  )
}

/** What a table says, and what becomes of the new items in it. */
function TableTerms({
  columns,
  isOnSale,
  setOnSale,
}: {
  readonly columns: readonly string[]
  readonly isOnSale: boolean
  readonly setOnSale: (isOnSale: boolean) => void
}) {
  const t = useT()
  return (
    <>
      <label className="check">
        <input
          type="checkbox"
          checked={isOnSale}
          onChange={(event) => setOnSale(event.target.checked)}
        />
        <span>
          {t('console.goodsNew.onSale')}
          <br />
          <small>{t('console.goodsNew.onSaleHint')}</small>
        </span>
      </label>
      <details>
        <summary>{t('console.goodsFiles.columns')}</summary>
        <p className="hint">{t('console.goodsFiles.columnsText')}</p>
        <p className="mono" dir="ltr">
          {columns.join(', ')}
        </p>
      </details>
    </>
  )
}

/** What stands before the fraction of amounts in a table. */
function Mark({
  mark,
  setMark,
}: {
  readonly mark: string
  readonly setMark: (mark: string) => void
}) {
  const t = useT()
  return (
    <Choice
      label={t('console.goodsFiles.mark')}
      value={mark}
      options={[
        { value: '', text: t('console.goodsFiles.mark.usual') },
        { value: '.', text: '4.99' },
        { value: ',', text: '4,99' },
      ]}
      choose={setMark}
    />
  )
}
