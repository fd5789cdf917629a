import type { CartLine } from './cart.ts'
import { client } from './client.ts'
import { showToast } from './toasts.ts'

/** Orders these goods alone, past the cart. @returns the way to its payment; null when the shop refused and has said why */
export async function orderNow({ item, quantity, fields }: CartLine): Promise<string | null> {
  try {
    const made = await client
      .get()
      ?.post(
        'order/create',
        { lines: [{ item, quantity, fields: { ...fields } }] },
        { showCheckMsg: false, showErrorMsg: true },
      )
    return made ? `/order/cashier?order=${made.order}` : null
  } catch (error) {
    const message = reasonOf(error)
    if (message !== '') showToast('error', message)
    return null
  }
}

/** The sentence of the first field at fault says more than that of the whole; network errors are told by the client. */
function reasonOf(error: unknown): string {
  const {
    message = '',
    data,
    code = 0,
  } = error as {
    readonly message?: string
    readonly data?: { readonly fields?: readonly { readonly msg: string }[] } | null
    readonly code?: number
  }
  return data?.fields?.[0]?.msg ?? (code > 1_000 ? message : '')
}
