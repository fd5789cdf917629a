import { useId, useState } from 'react'
import { Icon } from '#ui/icon.tsx'
import { sendFile } from '../browser/call.ts'
import { Fault } from '../kit/fault.tsx'
import { useAttempt } from '../kit/use-attempt.ts'
import { useT } from '../words.tsx'
import { useEditor, useField } from './editor.tsx'
import { FieldNotes } from './field.tsx'
import type { GoodsData } from './load.ts'
import { CoverChoice } from './picture-cover.tsx'
import { CropChoice } from './picture-crop.tsx'
import { isSent, Shown, useDrawn } from './picture-shown.tsx'
import type { Cover, Said } from './pictures-view.ts'

/** Pictures of a product and of its brand, as the shop shows them: uploaded and cut, or drawn. */
export function Pictures() {
  const t = useT()
  const { data } = useEditor()
  return (
    <div className="stack">
      <PicturePanel goods={data.product} title={t('console.orders.filter.product')} />
      <PicturePanel goods={data.brand} title={t('console.home.by.brand')} />
    </div>
  )
}

const saidOf = (value: unknown) => (value ?? null) as Said | null
const coverOf = (said: Said | null): Cover | null => (said && 'cover' in said ? said.cover : null)

function PicturePanel({ goods, title }: { readonly goods: GoodsData; readonly title: string }) {
  const t = useT()
  const { data, edits } = useEditor()
  const field = useField(goods, 'picture')
  const brandEdit = edits.of(data.brand.code, 'picture', 'brand')
  const isProduct = goods.subject === 'product'
  const own = saidOf(field?.shown)
  const ofBrand = saidOf(brandEdit ? brandEdit.to : data.brand.values['picture'])
  const said = own ?? (isProduct ? ofBrand : null)
  const from = own === null && isProduct ? 'brand' : isProduct ? 'product' : 'brand'
  const isKnown = from === goods.subject ? !field?.isDirty : brandEdit === undefined
  const { drawn, faults } = useDrawn(coverOf(said), isKnown ? data.pictures.drawn[from] : null)
  if (!field) return null
  return (
    <section className="panel stack-2" aria-label={title}>
      <div className="row between wrapx">
        <h2>{title}</h2>
        <span className="hint">
          {t(isProduct ? 'console.pictures.productHint' : 'console.pictures.brandHint')}
        </span>
      </div>
      <div className="picture">
        <div className="stack-2">
          <Shown said={said} drawn={drawn} files={data.pictures.files[from]} />
          <p className="small">
            <b>{t(kindText(said, own === null && isProduct))}</b>
          </p>
          {field.fault && (
            <p className="msg" role="alert">
              {field.fault}
            </p>
          )}
          <FieldNotes goods={goods} name="picture" field={field} />
        </div>
        {field.spec.isOpen && (
          <Chooser
            goods={goods}
            own={own}
            begun={coverOf(own) ?? coverOf(ofBrand) ?? data.pictures.base}
            faults={faults}
            write={field.write}
          />
        )}
      </div>
    </section>
  )
}

function kindText(said: Said | null, isWorn: boolean) {
  if (said === null) return 'console.pictures.none'
  if (isWorn) return 'console.pictures.ofBrand'
  return 'cover' in said ? 'console.pictures.drawn' : 'console.pictures.sent'
}

interface ChooserProps {
  readonly goods: GoodsData
  readonly own: Said | null
  /** What a cover begins with. */
  readonly begun: Cover
  readonly faults: Readonly<Record<string, string>>
  readonly write: (to: unknown) => void
}

/** Ways to another picture, and what can be chosen of the one that is there. */
function Chooser({ goods, own, begun, faults, write }: ChooserProps) {
  const t = useT()
  const [isDrawing, setDrawing] = useState(false)
  const cover = coverOf(own)
  return (
    <div className="stack-2">
      <Upload
        write={(to) => {
          setDrawing(false)
          write(to)
        }}
      />
      <div className="row wrapx">
        <button
          type="button"
          className="btn edge"
          aria-expanded={isDrawing && cover !== null}
          onClick={() => {
            if (cover === null) write({ cover: begun })
            setDrawing(cover === null || !isDrawing)
          }}
        >
          <Icon name="pencil" />
          {t('console.pictures.draw')}
        </button>
        {goods.subject === 'product' && own !== null && (
          <button type="button" className="btn edge" onClick={() => write(null)}>
            {t('console.pictures.useBrand')}
          </button>
        )}
      </div>
      {own && 'file' in own && isSent(own.file) && (
        <CropChoice
          key={own.file}
          file={own.file}
          crop={own.crop}
          write={(crop) => write({ file: own.file, crop })}
        />
      )}
      {isDrawing && cover && (
        <CoverChoice cover={cover} faults={faults} write={(to) => write({ cover: to })} />
      )}
    </div>
  )
}

interface Sent {
  readonly file: string
}

/** A picture is sent as soon as it is chosen or dropped; goods show it once that is saved. */
function Upload({ write }: { readonly write: (to: Said) => void }) {
  const t = useT()
  const id = useId()
  const { data } = useEditor()
  const attempt = useAttempt()
  const [isTooLarge, setTooLarge] = useState(false)
  const most = data.pictures.mostBytes
  async function send(file: File | undefined) {
    if (!file) return
    setTooLarge(file.size > most)
    if (file.size > most) return
    const sent = await attempt.run(() => sendFile<Sent>('goods/picture/send', {}, file))
    if (sent) write({ file: sent.file })
  }
  const fault = isTooLarge ? t('error.upload_size') : (attempt.fault ?? attempt.fields['file'])
  return (
    <div
      className="field drop"
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault()
        void send(event.dataTransfer.files[0])
      }}
    >
      <label htmlFor={id}>{t('console.pictures.upload')}</label>
      <input
        className="input"
        id={id}
        type="file"
        accept="image/jpeg,image/png,image/webp,image/avif,image/gif"
        disabled={attempt.isBusy}
        aria-busy={attempt.isBusy}
        aria-describedby={`${id}-hint`}
        onChange={(event) => {
          void send(event.target.files?.[0])
          event.target.value = ''
        }}
      />
      <p className="hint" id={`${id}-hint`}>
        {t('console.pictures.uploadHint', { size: most / 1024 / 1024 })}
      </p>
      <Fault text={fault ?? null} />
    </div>
  )
}
