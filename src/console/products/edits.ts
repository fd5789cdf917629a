import { useRef, useState } from 'react'
import type { Subject } from '#features/goods/editing/rules.ts'
import { callConsole } from '../browser/call.ts'
import { useT } from '../words.tsx'

/** Fields that the list edits in place. */
export const GRID_FIELDS = ['price', 'stock', 'position'] as const
export type GridField = (typeof GRID_FIELDS)[number]
/** Fields whose texts the server reads. */
export type TypedField = GridField | 'market' | 'cost'

export type { Subject }

/** What somebody has changed of one field, not saved yet. */
export interface CellEdit {
  /** Of what; an item where it is not said. */
  readonly subject?: Subject
  readonly code: string
  readonly field: string
  /** As it was when they looked; left out of what was pasted for goods that the page does not show. */
  readonly from?: unknown
  readonly to: unknown
  /** As they typed it. */
  readonly text: string
  /** Why it is not taken. */
  readonly fault: string | null
}

export interface Pasted {
  readonly lines: number
  readonly edits: readonly {
    readonly code: string
    readonly field: string
    readonly from?: unknown
    readonly to: unknown
  }[]
  readonly faults: readonly PasteFault[]
}

export interface PasteFault {
  readonly line: number
  readonly column: number
  readonly text: string
  readonly msg: string
}

const keyOf = (code: string, field: string, subject: Subject = 'item') =>
  `${subject} ${code} ${field}`

export interface Edits {
  readonly all: readonly CellEdit[]
  readonly of: (code: string, field: string, subject?: Subject) => CellEdit | undefined
  /** Takes a value that was chosen, or typed and read already. */
  readonly set: (edit: Omit<CellEdit, 'fault' | 'text'> & Partial<CellEdit>) => void
  /** Has a text read by the server, which knows how people write numbers. */
  readonly type: (cell: {
    readonly code: string
    readonly field: TypedField
    readonly from: unknown
    readonly text: string
  }) => Promise<void>
  /** Takes a table; `fromOf` knows what the page shows. @returns what is wrong with it, by line and column; null where nobody answered */
  readonly paste: (
    text: string,
    codes: readonly string[],
    columns: readonly string[],
    fromOf: (code: string, field: string) => unknown,
  ) => Promise<Pasted | string>
  readonly drop: (code: string, field: string, subject?: Subject) => void
  readonly clear: () => void
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

/** Changes that are not saved yet, by item and field; one that says what is there already is none. */
export function useEdits(): Edits {
  const t = useT()
  const [map, setMap] = useState<ReadonlyMap<string, CellEdit>>(new Map())
  const typed = useRef(new Map<string, string>())
  const put = (edits: readonly CellEdit[]) =>
    setMap((before) => {
      const after = new Map(before)
      for (const edit of edits)
        if (edit.fault === null && edit.from !== undefined && isSame(edit.from, edit.to))
          after.delete(keyOf(edit.code, edit.field, edit.subject))
        else after.set(keyOf(edit.code, edit.field, edit.subject), edit)
      return after
    })
  const drop = (code: string, field: string, subject?: Subject) =>
    setMap((before) => {
      const after = new Map(before)
      after.delete(keyOf(code, field, subject))
      return after
    })
  return {
    all: [...map.values()],
    of: (code, field, subject) => map.get(keyOf(code, field, subject)),
    set: (edit) => put([{ text: '', fault: null, ...edit }]),
    async type({ code, field, from, text }) {
      typed.current.set(keyOf(code, field), text)
      if (text.trim() === '')
        return put([{ code, field, from, to: null, text, fault: t('console.products.needed') }])
      put([{ code, field, from, to: null, text, fault: '' }])
      const read = await readTable(text, [code], [field]).catch(() => t('console.unreachable'))
      // Somebody who has typed on meanwhile is asked about what stands there now.
      if (typed.current.get(keyOf(code, field)) !== text) return
      if (typeof read === 'string') put([{ code, field, from, to: null, text, fault: read }])
      else if (read.faults[0] || !read.edits[0])
        put([
          {
            code,
            field,
            from,
            to: null,
            text,
            fault: read.faults[0]?.msg ?? t('console.products.needed'),
          },
        ])
      else put([{ code, field, from, to: read.edits[0].to, text, fault: null }])
    },
    async paste(text, codes, columns, fromOf) {
      const read = await readTable(text, codes, columns).catch(() => t('console.unreachable'))
      if (typeof read === 'string') return read
      put(
        read.edits.map(({ code, field, from: seen, to }) => {
          const from = fromOf(code, field) ?? seen
          return {
            code,
            field,
            ...(from === undefined ? {} : { from }),
            to,
            text: '',
            fault: null,
          }
        }),
      )
      return read
    },
    drop,
    clear: () => setMap(new Map()),
  }
}

async function readTable(
  text: string,
  codes: readonly string[],
  columns: readonly string[],
): Promise<Pasted | string> {
  const outcome = await callConsole<Pasted>('goods/paste', { text, codes, columns })
  return outcome.isDone ? outcome.data : outcome.message
}
