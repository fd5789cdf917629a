import type { OperatorCommand } from '../commands.ts'

export const taxCommands: readonly OperatorCommand[] = [
  {
    name: 'tax list',
    parameters: [],
    options: ['--json'],
    summary: 'list how goods are taxed, and the rates of each country',
    description: 'Classes as they hold now; of rates every one there was, with when it began.',
    permission: 'ledger.read',
    act: async () => (await import('../tax.ts')).listTaxesCommand,
  },
  {
    name: 'tax class',
    parameters: ['<product>', '<country>', '<class>'],
    summary: 'say how a product is taxed in a country',
    description:
      'Classes: single_purpose, multi_purpose, service, none; unset takes back what was said. "all" stands for all products or countries. It holds from the next order on.',
    permission: 'payment.settings',
    act: async () => (await import('../tax.ts')).setTaxClassCommand,
  },
  {
    name: 'tax rate',
    parameters: ['<country>', '<class>', '<percent>'],
    options: ['--from <instant>'],
    summary: 'say what single_purpose vouchers or a service are taxed at in a country',
    description:
      'Prices include it. With --from it begins later, like 2027-01-01T00:00:00+01:00; rates from before stay known.',
    permission: 'payment.settings',
    act: async () => (await import('../tax.ts')).setTaxRateCommand,
  },
]
