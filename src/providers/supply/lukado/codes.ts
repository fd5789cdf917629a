import type { CodeTable } from '../wire/outcome.ts'

/** Envelope codes of the reseller API that mean that nothing was bought: docs/selling/reseller-api.md. What does not stand here means `unknown`. */
export const LUKADO_CODES: CodeTable = {
  401: 'ours',
  403: 'ours',
  409: 'unknown',
  413: 'ours',
  422: 'ours',
  429: 'wait',
  2420: 'ours',
  2421: 'stock',
  2423: 'supplier',
  2424: 'wait',
  2425: 'supplier',
  2426: 'stock',
  2427: 'ours',
  2435: 'price',
  2436: 'unknown',
  2440: 'supplier',
  2441: 'ours',
}

/** Something is wrong with a line: which field says whose matter it is. */
export const LINE_FAULT = '2422'
