import type { OperatorCommand } from '../commands.ts'

export const moneyCommands: readonly OperatorCommand[] = [
  {
    name: 'approvals list',
    parameters: [],
    options: ['--json'],
    summary: 'list what waits for another person, longest first',
    description:
      'Refunds, store credit, bank lines and whatever else is above the limits of who asked, with until when it can be approved.',
    permission: 'order.read',
    act: async () => (await import('../approvals.ts')).listApprovalsCommand,
  },
  {
    name: 'approvals approve',
    parameters: ['<approval>'],
    summary: 'approve what somebody else has asked for; it is done at once',
    description:
      'Needs the same permission, and a limit that is high enough. Nobody approves their own, by whatever account.',
    permission: 'approval.decide',
    act: async () => (await import('../approvals.ts')).approveActCommand,
  },
  {
    name: 'approvals refuse',
    parameters: ['<approval>', '<reason>'],
    summary: 'say no to what somebody has asked for, or take your own back',
    description: 'The reason stands in the audit trail.',
    permission: 'approval.decide',
    act: async () => (await import('../approvals.ts')).refuseActCommand,
  },
  {
    name: 'refund',
    parameters: ['<order-number>'],
    needed: ['--reason <word>'],
    options: ['--units <ids>', '--to <where>'],
    summary: 'give an order, or units of it, back',
    description:
      '--reason takes a word of lower-case letters and underscores, like faulty_key or goodwill; it stands with the refund. --units takes ids as orders show lists them, separated by commas; without it all that is left. --to original (where it was paid from) or store_credit. Above your limits, or the setting refund_second_person_minor (USD 100.00), another person approves it; what you gave the same shopper within a day counts.',
    permission: 'order.refund',
    act: async () => (await import('../refund.ts')).refundCommand,
  },
  {
    name: 'refund approve',
    parameters: ['<refund>'],
    summary: 'approve a refund that somebody else has asked for',
    description: 'The worker hands it to the payment provider within a minute.',
    permission: 'order.refund',
    act: async () => (await import('../refund.ts')).approveCommand,
  },
  {
    name: 'refund refuse',
    parameters: ['<refund>', '<reason>'],
    summary: 'say no to a refund that waits, or take your own back',
    description:
      'Its units are again what they were; keys that were let go of are looked for anew, as for an order that waits for stock.',
    permission: 'order.refund',
    act: async () => (await import('../refund.ts')).refuseCommand,
  },
  {
    name: 'refund repeat',
    parameters: ['<refund>'],
    options: ['--to <where>'],
    summary: 'ask anew for a refund that the payment provider has refused',
    description:
      '--to original (where it was paid from) or store_credit, for a payer whose card or account is gone.',
    permission: 'order.refund',
    act: async () => (await import('../refund.ts')).repeatCommand,
  },
  {
    name: 'refund list',
    parameters: [],
    options: ['--json'],
    summary: 'list refunds, those that are not done first',
    description: 'With who asked, who approved, and what the provider said.',
    permission: 'order.read',
    act: async () => (await import('../refund.ts')).listRefundsCommand,
  },
  {
    name: 'bank received',
    parameters: ['<order-number>', '<amount>', '<currency>'],
    options: ['--reference <text>', '--another'],
    summary: "note money that came to the shop's bank account for an order",
    description:
      "As the account's statement has it. A line entered twice counts once: it goes by --reference, or by order and amount where none is given. What a statement was matched for already is other money only with --another. The order is then paid, held or the money sent back, by the same rules as for every payment.",
    permission: 'payment.note',
    act: async () => (await import('../bank.ts')).receivedCommand,
  },
  {
    name: 'bank returned',
    parameters: ['<refund>'],
    summary: 'note that you have sent a refund back by bank transfer',
    description: 'Until then such a refund waits, as nobody but you can send it.',
    permission: 'payment.note',
    act: async () => (await import('../bank.ts')).returnedCommand,
  },
  {
    name: 'differences list',
    parameters: [],
    options: ['--json'],
    permission: 'payment.read',
    summary: 'list payments of which a provider and the books say different things',
    description:
      "Found each night: refunds made by hand in the provider's dashboard, and less taken than was told. cases list shows them too.",
    act: async () => (await import('../differences.ts')).listDifferencesCommand,
  },
  {
    name: 'differences book',
    parameters: ['<difference>'],
    permission: 'payment.note',
    summary: 'book a refund that was made by hand at the provider',
    description:
      'As money that was taken back: what is not delivered yet is kept back, and store credit of it is taken back.',
    act: async () => (await import('../differences.ts')).bookDifferenceCommand,
  },
  {
    name: 'differences close',
    parameters: ['<difference>', '<note>'],
    permission: 'payment.note',
    summary: 'say what was done about a difference, without booking it',
    description: 'The note stands in the audit trail. It is told again only once it changes.',
    act: async () => (await import('../differences.ts')).closeDifferenceCommand,
  },
  {
    name: 'payments reconcile',
    parameters: [],
    options: ['--since <instant>'],
    summary: 'compare with the payment services, after a restore',
    description:
      'Asks about every payment that is open, and goes through everything the services took since the instant that was restored. What was paid and is known to no order is kept as a payment for somebody to see to. May be repeated; exit code 1 while something is left to do.',
    permission: 'payment.note',
    act: async () => (await import('../payments.ts')).reconcileCommand,
  },
  {
    name: 'payments unmatched',
    parameters: [],
    options: ['--json'],
    summary: 'list what was paid and is known to no order',
    description:
      'As payments reconcile found it, longest known first, until it was given back or somebody said what was done.',
    permission: 'payment.read',
    act: async () => (await import('../payments.ts')).listUnmatchedCommand,
  },
  {
    name: 'payments return',
    parameters: ['<payment>'],
    summary: 'give back what was paid and is known to no order',
    description: 'All of it, to where it was paid from. Asked for twice it is given back once.',
    permission: 'payment.note',
    act: async () => (await import('../payments.ts')).returnUnmatchedCommand,
  },
  {
    name: 'payments match',
    parameters: ['<payment>', '<order-number>'],
    options: ['--surplus <way>'],
    summary: 'take what was paid and is known to no order for an order',
    description:
      'Of its currency, and not paid yet: it is paid by that, opened again where it was over, or waits for the rest. What is too much goes back to where it came from, or with --surplus store_credit to its buyer’s credit.',
    permission: 'payment.note',
    act: async () => (await import('../late-money.ts')).matchUnmatchedCommand,
  },
  {
    name: 'payments close',
    parameters: ['<payment>', '<note>'],
    summary: 'say what was done about a payment that is known to no order',
    description:
      "For one that was given back at the service, delivered by hand, or is another shop's of the same account.",
    permission: 'payment.note',
    act: async () => (await import('../payments.ts')).closeUnmatchedCommand,
  },
  {
    name: 'credit grant',
    parameters: ['<email>', '<amount>', '<currency>'],
    summary: 'give somebody store credit',
    description:
      'It is spendable at once, in that currency only, and stands in the books as a promotion.',
    permission: 'shopper.credit',
    act: async () => (await import('../credit.ts')).grantCommand,
  },
  {
    name: 'credit debts',
    parameters: [],
    options: ['--json'],
    summary: 'list shoppers who owe store credit',
    description:
      'Credit that was spent before a bank took its payment back. Credit they add pays it first; credit grant forgives it.',
    permission: 'payment.read',
    act: async () => (await import('../credit.ts')).listDebtsCommand,
  },
]
