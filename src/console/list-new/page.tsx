import { Icon } from '#ui/icon.tsx'
import { Choice, LineField } from '../kit/fields.tsx'
import { Fault } from '../kit/fault.tsx'
import { listName, listPath } from '../lists/names.tsx'
import { SharedProvider } from '../product/editor.tsx'
import { Field } from '../product/field.tsx'
import { EffectBox } from '../products/effect-box.tsx'
import { CONSOLE_PATH } from '../routes.ts'
import { useT } from '../words.tsx'
import type { ListNewData } from './load.ts'
import { useNewEntry, type NewEntry } from './use-new-entry.ts'

/** A new entry of a list, checked by the rules of an import before it is added. */
export function Page({ data }: { readonly data: ListNewData }) {
  const t = useT()
  return (
    <>
      <div className="pg">
        <div>
          <a className="back" href={CONSOLE_PATH + listPath(data.list)}>
            <Icon name="left" />
            {listName(t, data.list)}
          </a>
          <h1>{t(`console.lists.add.${data.list}`)}</h1>
          <p>{t('console.lists.addLead')}</p>
        </div>
      </div>
      <NewForm key={data.list} data={data} />
    </>
  )
}

const FIELDS = {
  category: ['parent', 'position'],
  game: ['publisher', 'category', 'released', 'popularity', 'hot'],
  region: ['position'],
  platform: ['position'],
} as const

function NewForm({ data }: { readonly data: ListNewData }) {
  const t = useT()
  const entry = useNewEntry(data)
  const { isAsked, change, told, shared, make } = entry
  const isReady =
    told !== null && told.goods > 0 && told.faults.length === 0 && told.conflicts.length === 0
  return (
    <SharedProvider value={shared}>
      <section className="panel stack-2">
        <EntryFields data={data} entry={entry} />
      </section>
      {isAsked && <h2 className="sr">{t('console.effect')}</h2>}
      {isAsked && <EffectBox told={change.told} />}
      <Fault text={change.fault} />
      <div className="row">
        <button
          type="button"
          className="btn solid"
          disabled={change.isBusy || !isReady}
          onClick={() => void make()}
        >
          {t(`console.lists.add.${data.list}`)}
        </button>
      </div>
    </SharedProvider>
  )
}

function EntryFields({
  data: { subject, languages },
  entry: { typed, code, write, goods, faultAt },
}: {
  readonly data: ListNewData
  readonly entry: NewEntry
}) {
  const t = useT()
  return (
    <div className="facts">
      <LineField
        label={t('console.goodsNew.name')}
        value={typed.name}
        max={300}
        write={(name) => write({ name })}
        fault={faultAt('name')}
        required
      />
      <LineField
        label={t('console.goodsNew.address')}
        hint={t('console.goodsNew.addressHint')}
        value={code}
        max={100}
        write={(own) => write({ code: own })}
        fault={faultAt('there')}
      />
      <Choice
        label={t('console.product.target2')}
        value={typed.language}
        options={languages.map((one) => ({ value: one.code, text: one.name, lang: one.code }))}
        choose={(language) => write({ language })}
      />
      <LineField
        label={t('console.lists.nameIn')}
        value={typed.second}
        max={300}
        write={(second) => write({ second })}
        fault={faultAt(`name:${typed.language}`)}
      />
      {FIELDS[subject].map((field) => (
        <Field key={field} goods={goods} name={field} />
      ))}
      {subject === 'game' && (
        <div className="wide">
          <Field goods={goods} name="platforms" />
        </div>
      )}
    </div>
  )
}
