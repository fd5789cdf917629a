import { z } from 'zod'
import type { ListSpan } from '../provider.ts'
import { bodyOrRefusal, type PaypalClient } from './client.ts'
import { dispute, type PaypalDispute } from './facts.ts'

const LISTED_SPAN_MS = 31 * 24 * 3_600_000
const LISTED_AT_ONCE = 100

const transactions = z.object({
  transaction_details: z
    .array(
      z.object({
        transaction_info: z.object({
          transaction_id: z.string(),
          transaction_event_code: z.string().nullish(),
          custom_field: z.string().nullish(),
          paypal_reference_id: z.string().nullish(),
        }),
      }),
    )
    .default([]),
  total_pages: z.number().int().default(1),
})
type Transaction = z.infer<typeof transactions>['transaction_details'][number]['transaction_info']

/** Captures of refunds and reversals (T11…), of chargebacks (T12…), and of disputes that have moved. */
export async function* changedCaptures(
  client: PaypalClient,
  span: ListSpan,
): AsyncIterable<string> {
  for await (const info of searchTransactions(client, span)) {
    if (/^T1[12]/.test(info.transaction_event_code ?? '') && info.paypal_reference_id)
      yield info.paypal_reference_id
  }
  for await (const { dispute_id: id } of searchDisputes(client, span)) {
    const found = await readDispute(client, id).catch((error: unknown) => {
      if (!span.unread) throw error
      span.unread({ reference: `dispute:${id}`, ourReference: null }, error)
      return null
    })
    for (const { seller_transaction_id: capture } of found?.disputed_transactions ?? [])
      if (capture) yield capture
  }
}

async function readDispute(client: PaypalClient, id: string): Promise<PaypalDispute> {
  return bodyOrRefusal(
    await client({ method: 'GET', path: `/v1/customer/disputes/${encodeURIComponent(id)}` }),
    dispute,
  )
}

export async function* searchTransactions(
  client: PaypalClient,
  { since, until }: ListSpan,
): AsyncIterable<Transaction> {
  for (let from = since.getTime(); from < until.getTime(); from += LISTED_SPAN_MS) {
    const to = Math.min(from + LISTED_SPAN_MS, until.getTime())
    for (let page = 1, pages = 1; page <= pages; page += 1) {
      const query = new URLSearchParams({
        start_date: new Date(from).toISOString(),
        end_date: new Date(to).toISOString(),
        fields: 'transaction_info',
        page_size: String(LISTED_AT_ONCE),
        page: String(page),
      })
      const answer = bodyOrRefusal(
        await client({ method: 'GET', path: `/v1/reporting/transactions?${query}` }),
        transactions,
      )
      pages = answer.total_pages
      for (const { transaction_info: info } of answer.transaction_details) yield info
    }
  }
}

const changedDisputes = z.object({
  items: z.array(z.object({ dispute_id: z.string() })).default([]),
  links: z.array(z.object({ rel: z.string(), href: z.string() })).default([]),
})
const DISPUTES_AT_ONCE = 50

/** None for an app without the right to see disputes. */
async function* searchDisputes(
  client: PaypalClient,
  { since, until }: ListSpan,
): AsyncIterable<{ readonly dispute_id: string }> {
  const query = new URLSearchParams({
    update_time_after: since.toISOString(),
    update_time_before: until.toISOString(),
    page_size: String(DISPUTES_AT_ONCE),
  })
  for (let path: string | null = `/v1/customer/disputes?${query}`; path !== null; ) {
    const answer = await client({ method: 'GET', path })
    if (answer.status === 403) return
    const { items, links } = bodyOrRefusal(answer, changedDisputes)
    yield* items
    const next = URL.parse(links.find(({ rel }) => rel === 'next')?.href ?? '')
    path = next ? `${next.pathname}${next.search}` : null
  }
}
