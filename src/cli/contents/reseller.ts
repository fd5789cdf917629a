import type { OperatorCommand } from '../commands.ts'

export const resellerCommands: readonly OperatorCommand[] = [
  {
    name: 'reseller create',
    parameters: ['<email>', '<name>', '<file>'],
    needed: ['--order-max <usd>', '--day-max <usd>'],
    options: ['--scopes <list>', '--agent-max <usd>', '--networks <list>'],
    summary: 'make a key by which a shop, an app or a program buys in the name of an account',
    description:
      'Writes the key and its secret to a file that is yours alone (mode 0600) and must not exist yet. Scopes, separated by commas: browse, order, reveal, agent; the first three unless you say otherwise. Up to --order-max an order and --day-max within a day, in US dollars, it buys from the account’s store credit without anybody’s proof. What a program buys above --agent-max waits until a person agrees.',
    permission: 'reseller.manage',
    act: async () => (await import('../reseller.ts')).createCommand,
  },
  {
    name: 'reseller list',
    parameters: [],
    options: ['--json'],
    summary: 'list the keys of resellers, with their limits and what they ordered within a day',
    description: 'Amounts are US dollars.',
    permission: 'reseller.read',
    act: async () => (await import('../reseller.ts')).listCommand,
  },
  {
    name: 'reseller rotate',
    parameters: ['<key>', '<file>'],
    summary: 'give a key a new secret; the one before holds for a day',
    description: 'Where the old one has leaked, revoke the key and make another instead.',
    permission: 'reseller.manage',
    act: async () => (await import('../reseller.ts')).rotateCommand,
  },
  {
    name: 'reseller revoke',
    parameters: ['<key>'],
    summary: 'end a key at once',
    description: 'What was ordered by it goes on and is delivered.',
    permission: 'reseller.manage',
    act: async () => (await import('../reseller.ts')).revokeCommand,
  },
  {
    name: 'webhook create',
    parameters: ['<email>', '<url>', '<file>'],
    summary: 'have an account told of its orders at an address',
    description:
      'Writes the endpoint and the secret that its webhooks are signed with to a file that is yours alone and must not exist yet. The address is https and outside your own network.',
    permission: 'reseller.manage',
    act: async () => (await import('../webhook.ts')).createCommand,
  },
  {
    name: 'webhook list',
    parameters: [],
    options: ['--endpoint <endpoint>', '--json'],
    summary: 'list the endpoints, or with --endpoint what one was told last',
    description: 'What nobody took for a day is given up; webhook replay tells it again.',
    permission: 'reseller.read',
    act: async () => (await import('../webhook.ts')).listCommand,
  },
  {
    name: 'webhook replay',
    parameters: ['<delivery-or-endpoint>'],
    summary: 'tell something again: one delivery, or all that was given up of an endpoint',
    description: 'Under the same id as before, so that whoever took it already can see that.',
    permission: 'reseller.manage',
    act: async () => (await import('../webhook.ts')).replayCommand,
  },
  {
    name: 'webhook disable',
    parameters: ['<endpoint>'],
    summary: 'tell an endpoint nothing more',
    description: 'What waits for it is given up.',
    permission: 'reseller.manage',
    act: async () => (await import('../webhook.ts')).disableCommand,
  },
]
