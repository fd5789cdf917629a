import type { LanguageCode } from '#kernel/language.ts'

/** A receipt as a PDF. */
export type DrawReceipt = (content: ReceiptContent, made: Date) => Promise<Buffer>

/** What stands on a receipt, in words and amounts that are ready to be read. */
export interface ReceiptContent {
  readonly language: LanguageCode
  /** What the shop is called: its head, as lettering where it has one. */
  readonly shop: string
  readonly title: string
  readonly seller: readonly string[]
  /** Number, dates, way of paying: what they are called and what they are. */
  readonly facts: readonly Labelled[]
  /** Name and address of the buyer, line by line; empty where none is known. */
  readonly buyer: { readonly label: string; readonly lines: readonly string[] }
  readonly columns: {
    readonly goods: string
    readonly quantity: string
    readonly price: string
    readonly total: string
  }
  readonly lines: readonly {
    readonly name: string
    readonly detail: string
    readonly quantity: string
    readonly price: string
    readonly total: string
  }[]
  /** Goods, fee, what of it is tax, refunds; the grand total is the strong one. */
  readonly sums: readonly (Labelled & { readonly isStrong?: true })[]
  readonly notes: readonly string[]
}

interface Labelled {
  readonly label: string
  readonly value: string
}
