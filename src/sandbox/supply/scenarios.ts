/**
 * What shall happen with a purchase. Its number is the end of the account (a phone number, a player's id, the first field otherwise);
 * of a card, it is the product: each supplier sells "Sandbox card 9001" and so on. Anything else is 9001.
 *
 * `refused`: nothing is bought. `told`: it is bought, and the answer is wrong or does not come. How each supplier puts it is its own
 * protocol's; where that has no word for it, the order is made and fails.
 */
export const SCENARIOS = [
  { number: 9001, name: 'done', text: 'done at once' },
  { number: 9002, name: 'later', text: 'accepted, done after two seconds' },
  { number: 9003, name: 'fails', text: 'accepted, failed after two seconds' },
  { number: 9004, name: 'reversed', text: 'done, taken back after three seconds' },
  { number: 9005, name: 'account', text: 'refused: no such account' },
  { number: 9006, name: 'wait', text: 'refused: too soon, or closed for now' },
  { number: 9007, name: 'unavailable', text: 'refused: sold out or out of service' },
  { number: 9008, name: 'balance', text: 'refused: the balance is too low' },
  { number: 9009, name: 'dearer', text: 'the price has risen by a tenth since it was quoted' },
  { number: 9010, name: 'lost_request', text: 'the connection breaks, nothing is bought' },
  { number: 9011, name: 'lost_answer', text: 'bought, then the connection breaks' },
  { number: 9012, name: 'slow', text: 'bought, and answered after 52 seconds' },
  { number: 9013, name: 'fault', text: 'bought, and answered with status 500' },
  { number: 9014, name: 'garbage', text: 'bought, and answered with garbage' },
  { number: 9015, name: 'drip', text: 'bought, and answered at one byte a second' },
  { number: 9016, name: 'endless', text: 'bought, and answered with a gigabyte' },
  {
    number: 9017,
    name: 'amount',
    text: 'bought, and the answer is about another amount or product',
  },
  {
    number: 9018,
    name: 'reference',
    text: "bought, and the answer is about another order's reference",
  },
  { number: 9019, name: 'contradiction', text: 'bought, and the answer contradicts itself' },
  { number: 9020, name: 'undocumented', text: 'refused with a code that is documented nowhere' },
  {
    number: 9021,
    name: 'notices',
    text: 'accepted, then done; each notice three times, the last one first',
  },
  {
    number: 9022,
    name: 'account_late',
    text: 'an account that is there when it is asked about, and is refused when it is bought for',
  },
] as const

export type Scenario = (typeof SCENARIOS)[number]['name']

export function scenarioOf(product: string, account: string | null): Scenario {
  const number = /(9\d{3})$/.exec(account ?? (/^\d{4}$/.test(product) ? product : ''))?.[1]
  return SCENARIOS.find((known) => String(known.number) === number)?.name ?? 'done'
}
