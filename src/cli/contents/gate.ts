import type { OperatorCommand } from '../commands.ts'

export const gateCommands: readonly OperatorCommand[] = [
  {
    name: 'gate list',
    parameters: [],
    options: ['--json'],
    summary: 'list orders that are held before delivery for a closer look',
    description:
      'Paid, and not delivered: too much for one phone, player or shopper, a name on a list, an age nobody knows. Nothing of it goes back by itself.',
    permission: 'order.decide',
    act: async () => (await import('../gate.ts')).listHeldCommand,
  },
  {
    name: 'gate release',
    parameters: ['<order-number>'],
    needed: ['--note <text>'],
    summary: 'let a held order be delivered',
    description: 'It is not held again, unless its buyer gives another account for it.',
    permission: 'order.decide',
    act: async () => (await import('../gate.ts')).releaseHeldCommand,
  },
  {
    name: 'gate refuse',
    parameters: ['<order-number>'],
    needed: ['--note <text>'],
    summary: 'refuse a held order and give back what of it is not delivered',
    description:
      'Within your limits of refunds; above them another person approves it, and nothing is delivered until then.',
    permission: 'order.decide',
    act: async () => (await import('../gate.ts')).refuseHeldCommand,
  },
  {
    name: 'gate age',
    parameters: ['<uid>', '<years>'],
    needed: ['--note <text>'],
    summary: 'note how old a shopper is at least',
    description:
      'As you have seen it. What they buy from now on is not held for that. The shop keeps no birthday and no document.',
    permission: 'order.decide',
    act: async () => (await import('../gate.ts')).proveAgeCommand,
  },
  {
    name: 'screening import',
    parameters: ['<list>', '<file>'],
    summary: 'import a list of people that nothing may be sold to',
    description:
      'One entry a line: reference, name, e-mail, between tabs; name or e-mail may be empty. It replaces what the list held before.',
    permission: 'shop.manage',
    act: async () => (await import('../gate.ts')).importScreeningCommand,
  },
  {
    name: 'screening lists',
    parameters: [],
    options: ['--json'],
    summary: 'list the imported lists',
    description: 'With how many entries each has.',
    permission: 'order.decide',
    act: async () => (await import('../gate.ts')).listScreeningCommand,
  },
  {
    name: 'screening remove',
    parameters: ['<list>'],
    summary: 'take an imported list away',
    description: 'What was held because of it stays held until somebody decides.',
    permission: 'shop.manage',
    act: async () => (await import('../gate.ts')).removeScreeningCommand,
  },
]
