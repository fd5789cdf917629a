import type { Body } from './calls.ts'

/** How a service breaks the contract, each in one way. */
export const LIES = [
  'unsigned',
  'old',
  'twice',
  'amount',
  'currency',
  'other_id',
  'other_reference',
  'more_captured',
  'backwards',
  'script',
  'inside',
  'elsewhere',
  'more_members',
  'html',
  'gigabyte',
  'hang',
  'refund_twice',
  'endless_list',
] as const
export type Lie = (typeof LIES)[number]

const REDIRECTS: Partial<Record<Lie, string>> = {
  script: 'javascript:alert(1)',
  inside: 'http://169.254.169.254/latest/meta-data',
  elsewhere: 'https://elsewhere.example/pay',
}

/** A payment or refund as a service with a fault tells it; everything else as it is. */
export function lied(body: Body, lie: Lie | null, asked: unknown): Body {
  if (lie === 'endless_list' && body['outcome'] === 'payments')
    return { ...body, next: String(Math.random()) }
  if (body['outcome'] !== 'payment') return body
  const { amount, captured } = body as { amount: Sum; captured?: Sum }
  const redirect = lie === null ? undefined : REDIRECTS[lie]
  switch (lie) {
    case 'amount':
      return {
        ...body,
        amount: tenfold(amount),
        ...(captured ? { captured: tenfold(captured) } : {}),
      }
    case 'currency':
      return { ...body, amount: { ...amount, currency: amount.currency === 'EUR' ? 'USD' : 'EUR' } }
    case 'other_id':
      return asked === 'begin' ? body : { ...body, id: 'pay_another' }
    case 'other_reference':
      return { ...body, reference: 'another' }
    case 'more_captured':
      return captured ? { ...body, captured: tenfold(captured) } : body
    case 'backwards': {
      const { captured: _captured, ...rest } = body
      return captured ? { ...rest, status: 'cancelled' } : body
    }
    case 'more_members':
      return { ...body, note: 'all is well' }
    default:
      return redirect !== undefined && body['redirect'] !== undefined ? { ...body, redirect } : body
  }
}

interface Sum {
  readonly amount: string
  readonly currency: string
}

const tenfold = ({ amount, currency }: Sum): Sum => ({
  amount: String(Number(amount) * 10),
  currency,
})
