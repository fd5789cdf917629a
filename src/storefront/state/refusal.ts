/** Envelope codes of refusals lie above those of HTTP, which tell nothing of what has become of the order. */
const BUSINESS_CODES = 1_000

/** "item" of one line, "lines.0.item" of several. */
const ITEM_FIELD = /(?:^|\.)item$/

export interface Refusal {
  /** The shop has answered, and said no. */
  readonly isAnswer: boolean
  /** To be shown; empty where the client has told it already. */
  readonly message: string
  /** It is about the item asked for: sold no more, or never was. */
  readonly isOfItem: boolean
}

interface FieldFault {
  readonly field: string
  readonly msg: string
}

/** What a failed call says. The sentence of the first field at fault says more than that of the whole; network errors are told by the client. */
export function refusalOf(error: unknown): Refusal {
  const {
    message = '',
    data,
    code = 0,
  } = error as {
    readonly message?: string
    readonly data?: { readonly fields?: readonly FieldFault[] } | null
    readonly code?: number
  }
  const isAnswer = code > BUSINESS_CODES
  const first = data?.fields?.[0]
  return {
    isAnswer,
    message: first?.msg ?? (isAnswer ? message : ''),
    isOfItem: first !== undefined && ITEM_FIELD.test(first.field),
  }
}
