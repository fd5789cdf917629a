import type { OperatorCommand } from '../commands.ts'

export const priceCommands: readonly OperatorCommand[] = [
  {
    name: 'price explain',
    parameters: ['<item-code>'],
    options: ['--currency <code>', '--level <n>', '--at <instant>', '--json'],
    summary: 'show step by step how the price of an item comes about',
    description:
      'In US dollars and at the retail level, where nothing else is said. With --at as it was at an earlier moment, like 2026-11-21T10:04:00Z, from what was recorded until then.',
    permission: 'price.read',
    act: async () => (await import('../prices.ts')).explainPriceCommand,
  },
  {
    name: 'price own',
    parameters: ['<item-code>', '<currency>', '<amount>'],
    summary: 'set what an item costs in a currency, or with none take that back',
    description:
      'It stands instead of what cost, rate and margin come to, and imports leave it as it is. Where too little would remain over the cost, the item is not sold in this currency.',
    permission: 'price.change',
    act: async () => (await import('../prices.ts')).ownPriceCommand,
  },
  {
    name: 'price withheld',
    parameters: [],
    options: ['--json'],
    summary: 'list items that are not sold, as too little would remain over their cost',
    description:
      'With the currencies that they were priced in. Set another price, or end what keeps it up: the setting prices.floor.',
    permission: 'price.read',
    act: async () => (await import('../prices.ts')).withheldCommand,
  },
  {
    name: 'price level',
    parameters: ['<email>', '<level>'],
    summary: 'put a shopper on a customer level',
    description:
      'What a level pays less stands in the setting prices.levels, or with items of the catalogue. 0 is retail.',
    permission: 'price.change',
    act: async () => (await import('../prices.ts')).levelCommand,
  },
  {
    name: 'price rule add',
    parameters: ['<percent>'],
    options: [
      '--brand <code>',
      '--supplier <code>',
      '--region <code>',
      '--currency <code>',
      '--replaces <rule>',
      '--from <instant>',
    ],
    summary: 'have prices follow costs, with a margin',
    description:
      'For everything with a cost, or what the options narrow it to; the narrowest rule wins. The region is where the goods work. It replaces the margin of the currency. With --replaces it takes the place of a rule for the same goods. Prints the name of the rule.',
    permission: 'price.change',
    act: async () => (await import('../prices.ts')).addRuleCommand,
  },
  {
    name: 'price rule list',
    parameters: [],
    options: ['--all', '--json'],
    summary: 'list the margins that are added to costs',
    description: 'Those in force and to come; with --all those that are over, too.',
    permission: 'price.read',
    act: async () => (await import('../prices.ts')).listRulesCommand,
  },
  {
    name: 'price rule end',
    parameters: ['<rule>'],
    summary: 'end a margin rule',
    description: 'Named as price rule list names it. It stays in the history.',
    permission: 'price.change',
    act: async () => (await import('../prices.ts')).endRuleCommand,
  },
]
