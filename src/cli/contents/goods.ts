import type { OperatorCommand } from '../commands.ts'

export const goodsCommands: readonly OperatorCommand[] = [
  {
    name: 'import',
    parameters: ['<folder>'],
    summary: 'read a catalogue folder into the shop',
    description:
      'Checks the whole folder first and reports every fault with its file and path; changes nothing when there is one.',
    permission: 'product.change',
    act: async () => (await import('../import.ts')).importCommand,
  },
  {
    name: 'export',
    parameters: ['<folder>'],
    summary: "write the shop's catalogue to a folder",
    description: 'Writes the format that import reads; importing the result again changes nothing.',
    permission: 'product.read',
    act: async () => (await import('../export.ts')).exportCommand,
  },
  {
    name: 'selling list',
    parameters: [],
    options: ['--json'],
    summary: 'list what is not sold for the moment',
    description: 'With who stopped it, since when and why.',
    permission: 'product.read',
    act: async () => (await import('../selling.ts')).listCommand,
  },
  {
    name: 'selling stop',
    parameters: ['<what>', '<code>'],
    needed: ['--reason <text>'],
    summary: 'stop selling at once: everything, a product, a shelf, a supplier or a way to pay',
    description:
      'What: shop (with all as its code), product, shelf (an item), supplier or method. Within two seconds nobody can order or pay for it. What is paid already is delivered; where a supplier is stopped it waits.',
    permission: 'shop.manage',
    act: async () => (await import('../selling.ts')).stopCommand,
  },
  {
    name: 'selling start',
    parameters: ['<what>', '<code>'],
    summary: 'sell again what was stopped',
    description: 'What waited for a stopped supplier is bought within half a minute.',
    permission: 'shop.manage',
    act: async () => (await import('../selling.ts')).startCommand,
  },
  {
    name: 'keys import',
    parameters: ['<item>', '<file>'],
    options: ['--dry-run'],
    summary: 'put card keys from a CSV or text file, or a folder of pictures, into stock',
    description:
      'One key a line: the parts the brand names, then the day it expires (2027-06-30) where it does. A first line may name the columns. Keys the shop knows already are left out. Prints counts and last characters only; --dry-run changes nothing.',
    permission: 'key.import',
    act: async () => (await import('../keys.ts')).importKeysCommand,
  },
  {
    name: 'keys count',
    parameters: ['<item>'],
    summary: 'count the card keys of an item by what has become of them',
    description:
      'free: can be sold. claimed: reserved for a payment. delivered: sold. void: given back or taken out. quarantined: held back.',
    permission: 'key.read',
    act: async () => (await import('../keys.ts')).countKeysCommand,
  },
  {
    name: 'keys rotate',
    parameters: [],
    summary: 'encrypt card keys under a new key-encryption key',
    description:
      'Adds a key to vault.key in the data directory and wraps every row under it, without decrypting any card key. Running processes take it up without a restart. With VAULT_KEYS, add the new key at its end first and restart the shop, so that every process knows it.',
    permission: 'system.manage',
    act: async () => (await import('../keys.ts')).rotateKeysCommand,
  },
  {
    name: 'keys release',
    parameters: ['<item>'],
    summary: 'put keys on sale again that a restore has kept back',
    description:
      'First find out which of them were sold after the instant that was restored, from the mails sent and from your payment provider.',
    permission: 'key.import',
    act: async () => (await import('../keys.ts')).releaseKeysCommand,
  },
  {
    name: 'keys batches',
    parameters: ['<item>'],
    options: ['--json'],
    summary: 'list what keys of an item came in by',
    description: 'The newest fifty, with who brought them.',
    permission: 'key.read',
    act: async () => (await import('../keys.ts')).listBatchesCommand,
  },
  {
    name: 'keys withdraw',
    parameters: [],
    options: ['--batch <batch>', '--json'],
    summary: 'take a bad batch of keys off the shelf for good',
    description:
      'What is not sold is never sold; what is sold, or just being paid for, is listed to be replaced or given back.',
    permission: 'key.import',
    act: async () => (await import('../keys.ts')).withdrawKeysCommand,
  },
]
