import { useState } from 'react'
import { addressOf } from '../goods-new/draft.ts'
import { listPath } from '../lists/names.tsx'
import type { GoodsData } from '../product/load.ts'
import { useEdits, type CellEdit } from '../products/edits.ts'
import { useChange } from '../products/use-change.ts'
import { CONSOLE_PATH } from '../routes.ts'
import type { ListNewData } from './load.ts'

/** The fields are edited under a code of their own, as the real one is still being typed. */
const DRAFT = 'draft'

interface Typed {
  readonly name: string
  /** Null while it follows from the name. */
  readonly code: string | null
  /** Of the second name. */
  readonly language: string
  readonly second: string
}

export type NewEntry = ReturnType<typeof useNewEntry>

/** An entry while it is being typed: what the shop says of it, and the press that makes it. */
export function useNewEntry(data: ListNewData) {
  const { subject, list } = data
  const edits = useEdits()
  const [typed, setTyped] = useState<Typed>({
    name: '',
    code: null,
    language: data.languages[0]?.code ?? 'de',
    second: '',
  })
  const code = typed.code ?? addressOf(typed.name)
  const isAsked = typed.name.trim() !== '' && code !== ''
  const change = useChange(isAsked ? asked(subject, code, typed, edits.all) : null)
  const told = typeof change.told === 'string' ? null : change.told
  const faultAt = (field: string) => told?.faults.find((fault) => fault.field === field)?.msg
  const goods = draftOf(data)
  return {
    typed,
    code,
    isAsked,
    write: (part: Partial<Typed>) => setTyped((before) => ({ ...before, ...part })),
    change,
    told,
    faultAt,
    goods,
    shared: {
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
      goodsOf: () => goods,
    },
    async make() {
      if (await change.make({ kind: 'editor' }))
        location.assign(`${CONSOLE_PATH}${listPath(list)}/${code}`)
    },
  }
}

const draftOf = ({ subject, specs }: ListNewData): GoodsData => ({
  subject,
  code: DRAFT,
  kind: null,
  values: Object.fromEntries(Object.keys(specs).map((field) => [field, null])),
  locked: [],
})

function asked(
  subject: ListNewData['subject'],
  code: string,
  { name, language, second }: Typed,
  edits: readonly CellEdit[],
) {
  const given = { subject, code }
  // Of which English it is, the shop knows better: both are said at once.
  const text = { text: second.trim(), english_hash: '0'.repeat(16), origin: 'human' }
  return {
    edits: [
      { ...given, field: 'there', from: null, to: true },
      { ...given, field: 'name', to: name.trim() },
      ...edits
        .filter(({ fault, to }) => fault === null && to !== null)
        .map(({ field, to }) => ({ ...given, field, to })),
      ...(second.trim() === '' ? [] : [{ ...given, field: `name:${language}`, to: text }]),
    ],
  }
}
