import type { OperatorCommand } from '../commands.ts'

export const orderCommands: readonly OperatorCommand[] = [
  {
    name: 'cases list',
    parameters: [],
    options: ['--json'],
    summary: 'list what buyers ask about their orders',
    description:
      'Open cases, oldest first: requests for money back, faulty keys, and disputes, which the payment provider decides.',
    permission: 'case.read',
    act: async () => (await import('../cases.ts')).listCasesCommand,
  },
  {
    name: 'cases show',
    parameters: ['<case>'],
    options: ['--json'],
    summary: 'show a case with its units and what its buyer wrote',
    description: 'Changes nothing.',
    permission: 'case.read',
    act: async () => (await import('../cases.ts')).showCaseCommand,
  },
  {
    name: 'cases picture',
    parameters: ['<case>', '<file>'],
    summary: 'write the picture a buyer sent with a case to a file',
    description: 'WebP.',
    permission: 'case.read',
    act: async () => (await import('../cases.ts')).casePictureCommand,
  },
  {
    name: 'cases accept',
    parameters: ['<case>', '<note>'],
    summary: 'give back what a case asks for, and tell its buyer',
    description:
      'The refund goes where the buyer wished it to. The note is what the buyer reads in the order; "" for none.',
    permission: 'case.decide',
    act: async () => (await import('../cases.ts')).acceptCaseCommand,
  },
  {
    name: 'cases decline',
    parameters: ['<case>', '<note>'],
    summary: 'say no to a case, and tell its buyer why',
    description: 'The order goes on where it was. The note is what the buyer reads in the order.',
    permission: 'case.decide',
    act: async () => (await import('../cases.ts')).declineCaseCommand,
  },
  {
    name: 'orders list',
    parameters: [],
    options: [
      '--status <status>',
      '--email <email>',
      '--before <order-number>',
      '--limit <n>',
      '--json',
    ],
    summary: 'list the orders of the shop, newest first',
    description:
      'Twenty at once, or as many as --limit says; those made before an order with --before, those of one shopper with --email.',
    permission: 'order.read',
    act: async () => (await import('../orders.ts')).listCommand,
  },
  {
    name: 'orders show',
    parameters: ['<order-number>'],
    options: ['--json'],
    summary: 'tell everything about an order but its keys',
    description:
      'State, units, payments, refunds and what happened. Neither keys nor accounts that goods go to are shown.',
    permission: 'order.read',
    act: async () => (await import('../orders.ts')).showCommand,
  },
  {
    name: 'orders undecided',
    parameters: [],
    options: ['--json'],
    summary: 'list orders that hold money and wait for a decision',
    description:
      'Longest first: paid too little, too late or in another currency, out of stock, in doubt, disputed, or with a question of the buyer. Says as well how many refunds were refused.',
    permission: 'order.read',
    act: async () => (await import('../orders.ts')).listUndecidedCommand,
  },
  {
    name: 'orders release',
    parameters: ['<order-number>'],
    summary: 'let an order go on that was held for a closer look',
    description:
      'Orders held for something else are decided by what they wait for: money, stock, a case or the payment provider.',
    permission: 'order.decide',
    act: async () => (await import('../orders.ts')).releaseCommand,
  },
  {
    name: 'orders return-money',
    parameters: ['<order-number>'],
    summary: 'send back money that did not pay for its order',
    description:
      'For an order that was paid too little or in another currency: everything goes back to where it came from, and the buyer is told.',
    permission: 'order.decide',
    act: async () => (await import('../orders.ts')).returnMoneyCommand,
  },
  {
    name: 'orders accept-money',
    parameters: ['<order-number>'],
    options: ['--surplus <way>'],
    summary: 'take what came too late, or too little, as the payment of its order',
    description:
      'Its goods are reserved again at the prices of then, all or none. What lacks of the price is the cost of the shop and counts as given; what is too much goes back to where it came from, or with --surplus store_credit to its buyer’s credit.',
    permission: 'order.decide',
    act: async () => (await import('../late-money.ts')).acceptMoneyCommand,
  },
  {
    name: 'fulfil list',
    parameters: [],
    options: ['--json'],
    summary: 'list what waits to be delivered by hand',
    description:
      'Paid goods that need a person, longest waiting first, with who has taken them up. What was taken up and not finished within half an hour is in doubt: somebody looks whether it was delivered, then says done or fail.',
    permission: 'order.deliver',
    act: async () => (await import('../fulfil.ts')).listCommand,
  },
  {
    name: 'fulfil claim',
    parameters: [],
    options: ['--unit <unit>', '--json'],
    summary: 'take the next unit up, and see the account it goes to',
    description:
      'For half an hour it is yours alone. With --unit that one in place of the one that has waited longest.',
    permission: 'order.deliver',
    act: async () => (await import('../fulfil.ts')).claimCommand,
  },
  {
    name: 'fulfil release',
    parameters: ['<unit>'],
    summary: 'put back a unit you have done nothing about',
    description: 'Only where nothing was delivered: it waits for somebody else then.',
    permission: 'order.deliver',
    act: async () => (await import('../fulfil.ts')).releaseCommand,
  },
  {
    name: 'fulfil done',
    parameters: ['<unit>'],
    options: ['--proof <text>'],
    summary: 'note that a unit was delivered, with what shows it',
    description: "The proof is the supplier's receipt number, say. Said twice it counts once.",
    permission: 'order.deliver',
    act: async () => (await import('../fulfil.ts')).doneCommand,
  },
  {
    name: 'fulfil fail',
    parameters: ['<unit>'],
    needed: ['--reason <reason>'],
    summary: 'note that a unit cannot be delivered; its price goes back',
    description:
      'Reasons: wrong_account, region_mismatch, supplier_refused, out_of_stock, other. The price is refunded to where it was paid from, and the buyer is told.',
    permission: 'order.deliver',
    act: async () => (await import('../fulfil.ts')).failCommand,
  },
]
