import { createContext, use } from 'react'
import type { Edits } from '../products/edits.ts'
import type { GoodsData, FieldSpec, ProductData } from './load.ts'
import type { Saving } from './use-saving.ts'

/** What the parts of the editor share. */
export interface Editor {
  readonly data: ProductData
  readonly edits: Edits
  readonly saving: Saving
}

const EditorContext = createContext<Editor | null>(null)
export const EditorProvider = EditorContext.Provider

export function useEditor(): Editor {
  const editor = use(EditorContext)
  if (!editor) throw new Error('No EditorProvider above')
  return editor
}

/** A field of goods as it stands in the editor. */
export interface EditedField {
  readonly spec: FieldSpec
  /** As the shop has it. */
  readonly value: unknown
  /** As it would be. */
  readonly shown: unknown
  /** As somebody types it; null where nobody did. */
  readonly typed: string | null
  readonly isDirty: boolean
  /** What is wrong with it here, or as the server says. */
  readonly fault: string | undefined
  readonly write: (to: unknown, text?: string, fault?: string | null) => void
}

/** Null for a field that its reader does not see. */
export function useField(goods: GoodsData, name: string): EditedField | null {
  const { data, edits, saving } = useEditor()
  const spec = data.specs[goods.subject][name]
  if (!spec || !(name in goods.values)) return null
  const { subject, code } = goods
  const value = goods.values[name]
  const edit = edits.of(code, name, subject)
  return {
    spec,
    value,
    shown: edit ? edit.to : value,
    typed: edit && edit.text !== '' ? edit.text : null,
    isDirty: edit !== undefined,
    fault: edit?.fault ?? saving.faultAt({ subject, code, field: name }),
    write(to, text = '', fault = null) {
      // What it said when somebody began stays what they have seen.
      const from = edit ? edit.from : value
      edits.set({ subject, code, field: name, from, to, text, fault })
    },
  }
}
