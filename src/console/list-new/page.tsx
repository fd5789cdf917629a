import { useState } from 'react'
import { Icon } from '#ui/icon.tsx'
import { Choice, LineField } from '../kit/fields.tsx'
import { Fault } from '../kit/fault.tsx'
import { addressOf } from '../goods-new/draft.ts'
import { listName, listPath } from '../lists/names.tsx'
import { SharedProvider } from '../product/editor.tsx'
import { Field } from '../product/field.tsx'
import type { GoodsData } from '../product/load.ts'
import { EffectBox } from '../products/effect-box.tsx'
import { useEdits, type CellEdit } from '../products/edits.ts'
import { useChange } from '../products/use-change.ts'
import { CONSOLE_PATH } from '../routes.ts'
import { useT } from '../words.tsx'
import type { ListNewData } from './load.ts'

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

/** The fields are edited under a code of their own, as the real one is still being typed. */
const DRAFT = 'draft'

function NewForm({ data }: { readonly data: ListNewData }) {
  const t = useT()
  const { subject, list } = data
  const edits = useEdits()
  const [name, setName] = useState('')
  const [typedCode, setTypedCode] = useState<string | null>(null)
  const [language, setLanguage] = useState(data.languages[0]?.code ?? 'de')
  const [second, setSecond] = useState('')
  const code = typedCode ?? addressOf(name)
  const asked = name.trim() === '' || code === '' ? null : madeOf()
  const change = useChange(asked)
  const told = typeof change.told === 'string' ? null : change.told
  const faultAt = (field: string) => told?.faults.find((fault) => fault.field === field)?.msg

  function madeOf() {
    const given = { subject, code }
    // Of which English it is, the shop knows better: both are said at once.
    const text = { text: second.trim(), english_hash: '0'.repeat(16), origin: 'human' }
    return {
      edits: [
        { ...given, field: 'there', from: null, to: true },
        { ...given, field: 'name', to: name.trim() },
        ...edits.all
          .filter(({ fault, to }) => fault === null && to !== null)
          .map(({ field, to }: CellEdit) => ({ ...given, field, to })),
        ...(second.trim() === '' ? [] : [{ ...given, field: `name:${language}`, to: text }]),
      ],
    }
  }

  async function make() {
    if (await change.make({ kind: 'editor' }))
      location.assign(`${CONSOLE_PATH}${listPath(list)}/${code}`)
  }

  const entry: GoodsData = {
    subject,
    code: DRAFT,
    kind: null,
    values: Object.fromEntries(Object.keys(data.specs).map((field) => [field, null])),
    locked: [],
  }
  const shared = {
    data: {
      specs: { [subject]: data.specs },
      choices: data.choices,
      texts: { words: [], targets: [], complete: {} },
      languages: data.languages,
      mayChange: true,
    },
    edits,
    // What is wrong is told of the whole, under the code it will have.
    saving: {
      change,
      told,
      right: [],
      faultAt: ({ field }: { readonly field: string }) => faultAt(field),
      conflictAt: () => undefined,
    },
    here: `/products/lists/new/${list}`,
    goodsOf: () => entry,
  }
  return (
    <SharedProvider value={shared}>
      <section className="panel stack-2">
        <div className="facts">
          <LineField
            label={t('console.goodsNew.name')}
            value={name}
            max={300}
            write={setName}
            fault={faultAt('name')}
            required
          />
          <LineField
            label={t('console.goodsNew.address')}
            hint={t('console.goodsNew.addressHint')}
            value={code}
            max={100}
            write={setTypedCode}
            fault={faultAt('there')}
          />
          <Choice
            label={t('console.product.target2')}
            value={language}
            options={data.languages.map((one) => ({
              value: one.code,
              text: one.name,
              lang: one.code,
            }))}
            choose={setLanguage}
          />
          <LineField
            label={t('console.lists.nameIn')}
            value={second}
            max={300}
            write={setSecond}
            fault={faultAt(`name:${language}`)}
          />
          {FIELDS[subject].map((field) => (
            <Field key={field} goods={entry} name={field} />
          ))}
          {subject === 'game' && (
            <div className="wide">
              <Field goods={entry} name="platforms" />
            </div>
          )}
        </div>
      </section>
      {asked && <h2 className="sr">{t('console.effect')}</h2>}
      {asked && <EffectBox told={change.told} />}
      <Fault text={change.fault} />
      <div className="row">
        <button
          type="button"
          className="btn solid"
          disabled={
            change.isBusy ||
            !told ||
            told.goods === 0 ||
            told.faults.length + told.conflicts.length > 0
          }
          onClick={() => void make()}
        >
          {t(`console.lists.add.${list}`)}
        </button>
      </div>
    </SharedProvider>
  )
}
