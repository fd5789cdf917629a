import type { OperatorCommand } from '../commands.ts'

export const supplyBookCommands: readonly OperatorCommand[] = [
  {
    name: 'supply balance',
    parameters: ['[supplier]'],
    options: ['--json'],
    summary: 'show what suppliers hold for the shop beside what the books say',
    description:
      'As they were asked last, with how many hours it lasts at the pace of the last days. Of one supplier: what it said over the last month.',
    permission: 'supplier.read',
    act: async () => (await import('../supply-books.ts')).balanceCommand,
  },
  {
    name: 'supply pace',
    parameters: ['[supplier]'],
    options: ['--json'],
    summary: 'show how long what suppliers deliver takes, by supplier and product',
    description:
      'From payment to delivery, of the last 30 days: within how long half of it came and 95 of 100, and how many wait there now. Shoppers are told a time once there were 20 deliveries.',
    permission: 'supplier.read',
    act: async () => (await import('../supply-schedule.ts')).paceCommand,
  },
  {
    name: 'supply route',
    parameters: ['<item-code>', '[criterion…]'],
    options: ['--loss <hundredths-of-a-percent>'],
    summary: 'say by what the suppliers of an item are put in order',
    description:
      'Criteria: priority, cost, health, time, balance; the first that tells two apart decides. With --loss how much dearer than it was sold it may be bought. Without both the setting supply_routing holds again.',
    permission: 'price.change',
    act: async () => (await import('../supply-books.ts')).routeCommand,
  },
  {
    name: 'supply compare',
    parameters: ['<supplier>'],
    options: ['--days <n>', '--json'],
    summary: "compare purchases with a supplier's report now",
    description:
      'The worker does it each day, over the last three. Nothing is done by what a report says: the supplier is asked about what is news, and what differs waits for you.',
    permission: 'supplier.read',
    act: async () => (await import('../supply-books.ts')).compareCommand,
  },
  {
    name: 'supply differences',
    parameters: [],
    options: ['--json'],
    summary: "list what suppliers' reports tell otherwise than the shop knows it",
    description: 'Purchases that one side does not know, and those of another amount or state.',
    permission: 'supplier.read',
    act: async () => (await import('../supply-books.ts')).differencesCommand,
  },
  {
    name: 'supply settle-difference',
    parameters: ['<difference>'],
    needed: ['--note <text>'],
    summary: "note what was found about a difference from a supplier's report, and close it",
    description:
      'Moves no money. One that the report agrees about by the next day closes by itself; the same answer is not told again.',
    permission: 'order.decide',
    act: async () => (await import('../supply-books.ts')).closeDifferenceCommand,
  },
  {
    name: 'supply invoice',
    parameters: ['<supplier>', '<number>', '<amount>', '<currency>'],
    needed: ['--from <day>', '--until <day>'],
    options: ['--credit-note'],
    summary: 'note an invoice or credit note of a supplier, and compare it with the books',
    description:
      'Days are those it is for, both counted, in UTC. An invoice is compared with what was bought then, a credit note with what was taken back then. One that comes to the same is settled at once. It moves no money: what was bought is booked already.',
    permission: 'payment.note',
    act: async () => (await import('../supply-books.ts')).invoiceCommand,
  },
  {
    name: 'supply invoices',
    parameters: [],
    options: ['--json'],
    summary: 'list invoices of suppliers that differ from the books',
    description: 'With what the purchases of their days come to.',
    permission: 'supplier.read',
    act: async () => (await import('../supply-books.ts')).invoicesCommand,
  },
  {
    name: 'supply settle-invoice',
    parameters: ['<supplier>', '<number>'],
    needed: ['--note <text>'],
    summary: 'note what was found about an invoice that differs, and close it',
    description: 'Moves no money.',
    permission: 'payment.note',
    act: async () => (await import('../supply-books.ts')).settleInvoiceCommand,
  },
  {
    name: 'supply commission',
    parameters: ['<supplier>', '<amount>', '<currency>'],
    needed: ['--reference <text>'],
    summary: 'note what a supplier has given to your balance there',
    description: 'A commission, or a discount afterwards. A reference counts once.',
    permission: 'payment.note',
    act: async () => (await import('../supply-books.ts')).commissionCommand,
  },
  {
    name: 'supply exchange',
    parameters: [],
    options: ['--json'],
    summary: 'show what balances of other currencies cost more than they were worth when used',
    description:
      'Booked once a day, for suppliers whose top-ups were noted with --paid: at the average of all of them, beside the rate of the day.',
    permission: 'ledger.read',
    act: async () => (await import('../supply-books.ts')).exchangeCommand,
  },
]
