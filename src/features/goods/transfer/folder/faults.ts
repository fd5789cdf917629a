import type { FieldReason } from '#kernel/error.ts'

/** Something wrong in a catalogue folder: where, and what to do about it, in plain English for the person who edits it. */
export interface Fault {
  /** Path inside the folder, with slashes. */
  readonly file: string
  /** Place inside the file: `products[0].items[3].price`; '' for the file as a whole. */
  readonly path: string
  readonly message: string
}

/** @param reason the same in a word, for whoever is told at the field they edit, in their own language */
export type Report = (path: string, message: string, reason?: FieldReason) => void

export function jsonPath(keys: readonly PropertyKey[]): string {
  return keys
    .map((key, index) => {
      if (typeof key === 'number') return `[${key}]`
      const name = String(key)
      if (!/^[\w-]{1,60}$/.test(name)) return `[${JSON.stringify(name.slice(0, 60))}]`
      return index === 0 ? name : `.${name}`
    })
    .join('')
}

export function formatFault(fault: Fault): string {
  return `${fault.file}${fault.path ? ` ${fault.path}` : ''}: ${fault.message}`
}
