import type { OperatorCommand } from '../commands.ts'

export const supplyCommands: readonly OperatorCommand[] = [
  {
    name: 'supply suppliers',
    parameters: [],
    options: ['--json'],
    summary: 'list the suppliers, how they do and what the books say of each',
    description:
      'One that rests is not bought from: for minutes where purchases fail there, until you have looked where it refuses the shop itself (an empty balance, an account that is closed).',
    permission: 'supplier.read',
    act: async () => (await import('../supply.ts')).suppliersCommand,
  },
  {
    name: 'supply doubts',
    parameters: [],
    options: ['--json'],
    summary: 'list purchases of which nobody knows whether they were made',
    description:
      "Their supplier was asked for a day and did not tell, or asking could buy again. Look into the supplier's own report, then say how it was with supply settle.",
    permission: 'order.deliver',
    act: async () => (await import('../supply.ts')).doubtsCommand,
  },
  {
    name: 'supply settle',
    parameters: ['<purchase>', 'delivered|failed'],
    needed: ['--proof <text>'],
    options: ['--cards <file>'],
    summary: 'say what became of a purchase in doubt',
    description:
      'Delivered: its unit is, with what shows it; of cards with --cards, the file of those that came, one a line. Failed: another supplier is tried, and where there is none its price goes back.',
    permission: 'order.deliver',
    act: async () => (await import('../supply.ts')).settleCommand,
  },
  {
    name: 'supply waiting',
    parameters: [],
    options: ['--json'],
    summary: 'list units that wait for a supplier',
    description: 'First those that wait for you, as they cost more than they were sold for.',
    permission: 'order.deliver',
    act: async () => (await import('../supply.ts')).waitingCommand,
  },
  {
    name: 'supply allow',
    parameters: ['<unit>'],
    summary: 'let a unit be bought that waits for you',
    description:
      'It costs more than it was sold for, or the card that came was one the shop holds already. At what it costs there now. To give its price back instead, see refund.',
    permission: 'order.decide',
    act: async () => (await import('../supply.ts')).allowCommand,
  },
  {
    name: 'supply by-hand',
    parameters: ['<unit>'],
    summary: 'take a unit that waits for a supplier to deliver it by hand',
    description:
      'It is in fulfil list then; a card comes from the shelf, once there is a key. One that is being bought cannot be taken.',
    permission: 'order.deliver',
    act: async () => (await import('../supply.ts')).byHandCommand,
  },
  {
    name: 'supply cases',
    parameters: [],
    options: ['--json'],
    summary: 'list what is to be looked at of purchases that are over',
    description:
      'Bought when it was too late, taken back after delivery, or dearer than it may be. Nothing of it is done by itself.',
    permission: 'order.decide',
    act: async () => (await import('../supply.ts')).casesCommand,
  },
  {
    name: 'supply close-case',
    parameters: ['<case>'],
    needed: ['--note <text>'],
    summary: 'note what was found about a purchase, and close its case',
    description:
      'Moves no money: what a supplier owes you, or a buyer, is given back where that is done.',
    permission: 'order.decide',
    act: async () => (await import('../supply.ts')).closeCaseCommand,
  },
  {
    name: 'supply resume',
    parameters: ['<supplier>'],
    summary: 'go on with a supplier that rests',
    description: 'When what kept it up has been mended: an account that is open again, say.',
    permission: 'system.manage',
    act: async () => (await import('../supply.ts')).resumeCommand,
  },
  {
    name: 'supply switch',
    parameters: ['<supplier>', 'on|off'],
    summary: 'begin or end buying from a supplier',
    description:
      'Off: what waits there goes to the next supplier of its item, or is delivered by hand. What is under way is still asked about.',
    permission: 'system.manage',
    act: async () => (await import('../supply.ts')).switchCommand,
  },
  {
    name: 'supply offer',
    parameters: ['<item-code>', '<supplier>', '<product>', '<cost>', '<currency>'],
    options: ['--priority <n>', '--face <amount-and-currency>'],
    summary: 'have an item bought at a supplier, under its name there',
    description:
      'The cost is of one. With --face the face amount, where the supplier\'s product has several: "5 USD". Of several suppliers of an item the one with the lowest priority is asked first. Said again it replaces what was said before.',
    permission: 'price.change',
    act: async () => (await import('../supply.ts')).offerCommand,
  },
  {
    name: 'supply return',
    parameters: ['<purchase>'],
    summary: 'give cards that nobody has seen back to their supplier',
    description:
      'Once their buyers have their money again. They are withdrawn first, so that nobody gets them meanwhile. Kinguin takes keys back within a day.',
    permission: 'order.decide',
    act: async () => (await import('../supply.ts')).returnCommand,
  },
  {
    name: 'supply source',
    parameters: ['<item-code>', 'stock|order|both'],
    summary: 'say whether an item’s cards are your own keys or bought when paid',
    description:
      'stock: own keys alone. order: bought at a supplier once they are paid. both, as it is until you say otherwise: own keys first, bought once those are gone. Those to be bought need supply offer.',
    permission: 'price.change',
    act: async () => (await import('../supply.ts')).sourceCommand,
  },
  {
    name: 'supply topup',
    parameters: ['<supplier>', '<amount>', '<currency>'],
    needed: ['--reference <text>'],
    options: ['--fee <amount>', '--paid <amount-and-currency>'],
    summary: 'note money that was sent to a supplier',
    description:
      'The amount that arrived there, and with --fee what the bank kept beside it, and with --paid what it cost in another currency: "92.10 EUR". A reference counts once. What waits there is bought at once.',
    permission: 'payment.note',
    act: async () => (await import('../supply.ts')).topupCommand,
  },
]
