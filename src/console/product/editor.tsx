import { createContext, use, type ReactNode } from 'react'
import type { Edits, Subject } from '../products/edits.ts'
import type { GoodsData, FieldSpec, Named, ProductData } from './load.ts'
import type { Saving } from './use-saving.ts'

/** What the parts of the editor share. */
export interface Editor {
  readonly data: ProductData
  readonly edits: Edits
  readonly saving: Saving
}

/** What fields and texts need of any editor, of a product or of one of the catalogue's lists. */
export interface SharedEditor {
  readonly data: {
    readonly specs: Readonly<Partial<Record<Subject, Readonly<Record<string, FieldSpec>>>>>
    readonly choices: Readonly<Record<string, readonly Named[]>>
    readonly texts: ProductData['texts']
    readonly languages: ProductData['languages']
    readonly mayChange: boolean
  }
  readonly edits: Edits
  readonly saving: Saving
  /** Its page, below /console. */
  readonly here: string
  /** Whose a text is. */
  readonly goodsOf: (word: { readonly subject: Subject; readonly code: string }) => GoodsData
}

const SharedContext = createContext<SharedEditor | null>(null)
export const SharedProvider = SharedContext.Provider

export function useShared(): SharedEditor {
  const editor = use(SharedContext)
  if (!editor) throw new Error('No SharedProvider above')
  return editor
}

const EditorContext = createContext<Editor | null>(null)

export function EditorProvider({
  value,
  children,
}: {
  readonly value: Editor
  readonly children: ReactNode
}) {
  const { data } = value
  const shared: SharedEditor = {
    ...value,
    here: `/products/${data.code}`,
    goodsOf({ subject, code }) {
      if (subject === 'brand') return data.brand
      if (subject === 'product') return data.product
      return data.items.find((item) => item.code === code) ?? data.product
    },
  }
  return (
    <EditorContext value={value}>
      <SharedContext value={shared}>{children}</SharedContext>
    </EditorContext>
  )
}

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
  const { data, edits, saving } = useShared()
  const spec = data.specs[goods.subject]?.[name]
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
