import { disableEndpoint, replayDeliveries } from '#features/buying/webhook/commands.ts'
import { listDeliveries, listEndpoints } from '#features/buying/webhook/queries.ts'
import { createEndpointAlone } from '#features/office/alert/commands.ts'
import { configFromEnvironment } from '#platform/config.ts'
import { isLoopbackHost } from '#platform/http/loopback.ts'
import { refusal } from '#platform/refusal.ts'
import { isInsideLiteral } from '#providers/supply/wire/outside.ts'
import { optionOf, type OperatorRun } from './commands.ts'
import { newFile, writeSecret } from './new-secret-file.ts'
import { explained, moment, positionals, print, table } from './table.ts'

const ENDPOINT = {
  not_found:
    'There is no endpoint of this name that is on. npm run cli -- webhook list shows them.',
}
const DELIVERIES_SHOWN = 100

export const createCommand: OperatorRun = async (ctx, args) => {
  const [email = '', address = '', place = ''] = positionals(args)
  const file = newFile(place)
  const url = checkedUrl(address)
  const made = await explained(
    { not_found: `Nobody who may buy here has the address ${email}.` },
    createEndpointAlone(ctx, { email, url }),
  )
  writeSecret(file, made)
  process.stdout.write(`Orders of ${email} are told there from now on; the secret is in ${file}.\n`)
  return 0
}

/** What an address leads to is looked at again whenever it is called: a name may change. */
export function checkedUrl(address: string): string {
  const url = URL.parse(address)
  if (!url || url.username !== '' || url.password !== '' || url.hash !== '' || address.length > 500)
    throw refusal(`${address} is no address like https://shop.example/hooks/lukado.`)
  if (isLoopbackHost(url.hostname)) {
    if (!configFromEnvironment().webhookLoopback)
      throw refusal(
        'That is this machine, which only WEBHOOK_LOOPBACK=allow lets it be, for development.',
      )
    return url.href
  }
  if (url.protocol !== 'https:' || isInsideLiteral(url.hostname))
    throw refusal('The address must be https, and outside your own network.')
  return url.href
}

export const listCommand: OperatorRun = async (ctx, args) => {
  const endpoint = optionOf(args, '--endpoint')
  if (endpoint !== null) {
    const deliveries = await listDeliveries(ctx.db, endpoint, DELIVERIES_SHOWN)
    print(args, deliveries, () =>
      table(
        ['DELIVERY', 'ORDER', 'IT WAS', 'STATE', 'TRIES', 'ANSWER', 'SINCE (UTC)', 'DUE (UTC)'],
        deliveries.map((each) => [
          each.delivery,
          each.orderNumber,
          each.orderStatus,
          each.state.replace('_', ' '),
          String(each.attempts),
          each.answer ?? '',
          moment(each.createdAt),
          each.state === 'waiting' ? moment(each.dueAt) : '',
        ]),
      ),
    )
    return 0
  }
  const endpoints = await listEndpoints(ctx.db)
  print(args, endpoints, () =>
    endpoints.length === 0
      ? 'Nobody is told of orders by webhook.\n'
      : table(
          [
            'ENDPOINT',
            'ACCOUNT',
            'ADDRESS',
            'STATE',
            'TAKEN',
            'WAITING',
            'GIVEN UP',
            'LAST TRY (UTC)',
          ],
          endpoints.map((each) => [
            each.endpoint,
            each.email ?? 'erased',
            each.url,
            each.status,
            String(each.delivered),
            String(each.waiting),
            String(each.givenUp),
            moment(each.lastAttemptAt),
          ]),
        ),
  )
  return 0
}

export const replayCommand: OperatorRun = async (ctx, args) => {
  const count = await explained(
    {
      not_found:
        'There is no delivery of this name, and no endpoint that is on with something given up.',
    },
    replayDeliveries(ctx, positionals(args)[0] ?? ''),
  )
  process.stdout.write(`${count} to be told again, within seconds.\n`)
  return 0
}

export const disableCommand: OperatorRun = async (ctx, args) => {
  await explained(ENDPOINT, disableEndpoint(ctx, positionals(args)[0] ?? ''))
  process.stdout.write('Nothing more is told there.\n')
  return 0
}
