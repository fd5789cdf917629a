import type { OperatorCommand } from '../commands.ts'

export const rateCommands: readonly OperatorCommand[] = [
  {
    name: 'rates list',
    parameters: [],
    options: ['--at <instant>', '--json'],
    summary: 'list the exchange rates in force, or those of an earlier moment',
    description:
      'Units for one US dollar, with their source, when it published them, and what is too old. --at takes an instant like 2026-11-21T10:04:00Z.',
    permission: 'price.read',
    act: async () => (await import('../rates.ts')).listRatesCommand,
  },
  {
    name: 'rates pending',
    parameters: [],
    options: ['--json'],
    summary: 'list exchange rates that jumped and wait for somebody',
    description: 'With how far each is from the rate in force, which stays meanwhile.',
    permission: 'price.read',
    act: async () => (await import('../rates.ts')).pendingRatesCommand,
  },
  {
    name: 'rates accept',
    parameters: ['<rate>'],
    summary: 'let an exchange rate be used that was held back',
    description: 'Named as rates pending names it.',
    permission: 'price.change',
    act: async () => (await import('../rates.ts')).acceptRateCommand,
  },
  {
    name: 'rates refuse',
    parameters: ['<rate>'],
    summary: 'have an exchange rate that was held back never be used',
    description:
      'The rate before it stays in force, and the next one of the source is looked at anew.',
    permission: 'price.change',
    act: async () => (await import('../rates.ts')).refuseRateCommand,
  },
  {
    name: 'rates set',
    parameters: ['<currency>', '<per_usd>'],
    summary: 'set an exchange rate by hand',
    description:
      'Units of the currency for one US dollar. It counts where the setting exchange_rates names by-hand before other sources that know the currency, as it does by default.',
    permission: 'price.change',
    act: async () => (await import('../rates.ts')).setRateCommand,
  },
  {
    name: 'rates fetch',
    parameters: ['<source>'],
    summary: 'ask a source for its exchange rates now',
    description:
      'ecb or open-exchange-rates. What it says is kept, and in force where the setting exchange_rates names it; the worker does so by itself.',
    permission: 'price.change',
    act: async () => (await import('../rates.ts')).fetchRatesCommand,
  },
]
