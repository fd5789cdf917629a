/** What a command does with its positional arguments and options, in the order given; resolves to its exit code, throws a refusal for what the operator can set right. */
export type Run = (args: readonly string[]) => Promise<number>

export type Command = Readonly<{
  name: string
  /** Names of its positional arguments, as `<folder>`. */
  parameters: readonly string[]
  /** Options it knows, as `--dry-run`, or with what follows them, as `--as <name>`. */
  options?: readonly string[]
  summary: string
  description: string
  load(): Promise<Run>
}>

/** What was given with an option that takes something; null when it was not given. */
export function optionOf(args: readonly string[], option: string): string | null {
  return args.find((arg) => arg.startsWith(`${option}=`))?.slice(option.length + 1) ?? null
}

/** Each command lives in its own file, read only when it is called. */
export const commands: readonly Command[] = [
  {
    name: 'start',
    parameters: [],
    summary: 'build what is stale, start the database, the shop and its worker',
    description: 'Runs the shop until it is stopped with Ctrl-C or SIGTERM. The same as npm start.',
    load: async () => (await import('./start.ts')).start,
  },
  {
    name: 'migrate',
    parameters: [],
    summary: 'bring the database to the newest schema',
    description:
      'Applies the migrations the database does not have yet. npm start does so by itself.',
    load: async () => (await import('./migrate.ts')).migrateCommand,
  },
  {
    name: 'import',
    parameters: ['<folder>'],
    summary: 'read a catalogue folder into the shop',
    description:
      'Checks the whole folder first and reports every fault with its file and path; changes nothing when there is one.',
    load: async () => (await import('./import.ts')).importCommand,
  },
  {
    name: 'export',
    parameters: ['<folder>'],
    summary: "write the shop's catalogue to a folder",
    description: 'Writes the format that import reads; importing the result again changes nothing.',
    load: async () => (await import('./export.ts')).exportCommand,
  },
  {
    name: 'keys import',
    parameters: ['<item>', '<file>'],
    options: ['--dry-run'],
    summary: 'put card keys from a CSV or text file, or a folder of pictures, into stock',
    description:
      'One key a line: the parts the brand names, then the day it expires (2027-06-30) where it does. A first line may name the columns. Keys the shop knows already are left out. Prints counts and last characters only; --dry-run changes nothing.',
    load: async () => (await import('./keys.ts')).importKeysCommand,
  },
  {
    name: 'keys count',
    parameters: ['<item>'],
    summary: 'count the card keys of an item by what has become of them',
    description:
      'free: can be sold. claimed: reserved for a payment. delivered: sold. void: given back or taken out. quarantined: held back.',
    load: async () => (await import('./keys.ts')).countKeysCommand,
  },
  {
    name: 'keys rotate',
    parameters: [],
    summary: 'encrypt card keys under a new key-encryption key',
    description:
      'Adds a key to vault.key in the data directory and wraps every row under it, without decrypting any card key. With VAULT_KEYS, add the new key at its end first. Restart the shop before, so that every process knows the new key.',
    load: async () => (await import('./keys.ts')).rotateKeysCommand,
  },
  {
    name: 'keys demo',
    parameters: ['<item>', '<count>'],
    summary: 'make up keys for an item of the demo shop',
    description:
      "They look like the brand's keys and redeem nothing. The demo keeps its shelves filled by itself; this is for many purchases of one item.",
    load: async () => (await import('./keys.ts')).demoKeysCommand,
  },
  {
    name: 'demo-keys',
    parameters: [],
    summary: 'put the first made-up keys onto every shelf of the demo shop',
    description: 'npm start does so by itself in a new demo shop.',
    load: async () => (await import('./keys.ts')).openDemoShelvesCommand,
  },
  {
    name: 'cases list',
    parameters: [],
    options: ['--json'],
    summary: 'list what buyers ask about their orders',
    description:
      'Open cases, oldest first: requests for money back, faulty keys, and disputes, which the payment provider decides.',
    load: async () => (await import('./cases.ts')).listCasesCommand,
  },
  {
    name: 'cases show',
    parameters: ['<case>'],
    options: ['--json'],
    summary: 'show a case with its units and what its buyer wrote',
    description: 'Changes nothing.',
    load: async () => (await import('./cases.ts')).showCaseCommand,
  },
  {
    name: 'cases picture',
    parameters: ['<case>', '<file>'],
    summary: 'write the picture a buyer sent with a case to a file',
    description: 'WebP.',
    load: async () => (await import('./cases.ts')).casePictureCommand,
  },
  {
    name: 'cases accept',
    parameters: ['<case>', '<note>'],
    options: ['--as <name>'],
    summary: 'give back what a case asks for, and tell its buyer',
    description:
      'The refund goes where the buyer wished it to. The note is what the buyer reads in the order; "" for none.',
    load: async () => (await import('./cases.ts')).acceptCaseCommand,
  },
  {
    name: 'cases decline',
    parameters: ['<case>', '<note>'],
    options: ['--as <name>'],
    summary: 'say no to a case, and tell its buyer why',
    description: 'The order goes on where it was. The note is what the buyer reads in the order.',
    load: async () => (await import('./cases.ts')).declineCaseCommand,
  },
  {
    name: 'demo-people',
    parameters: [],
    summary: "make the demo shop's shopper, or a new password for them",
    description:
      'Writes e-mail, user name and password to demo.json in the data directory. npm start does so by itself in a new demo shop.',
    load: async () => (await import('./demo-people.ts')).demoPeopleCommand,
  },
  {
    name: 'keys release',
    parameters: ['<item>'],
    options: ['--as <name>'],
    summary: 'put keys on sale again that a restore has kept back',
    description:
      'First find out which of them were sold after the instant that was restored, from the mails sent and from your payment provider.',
    load: async () => (await import('./keys.ts')).releaseKeysCommand,
  },
  {
    name: 'backup',
    parameters: [],
    options: ['--to <folder>', '--keep <count>'],
    summary: 'copy the embedded database while the shop runs',
    description:
      'Into BACKUP_DIR, or the folder of --to, with a list of all files and their SHA-256. --keep removes all but that many, and the archived log they do not need. vault.key and secret.key are never in it.',
    load: async () => (await import('./backup.ts')).backupCommand,
  },
  {
    name: 'restore',
    parameters: ['<backup>'],
    options: ['--at <instant>', '--no-quarantine'],
    summary: "make an empty DATA_DIR's database what it was at an instant",
    description:
      'From a folder in BACKUP_DIR/base and the log archived since; without --at everything there is. Keys of what was being sold are kept back until keys release, as some of them were sold after that instant; --no-quarantine leaves them on sale.',
    load: async () => (await import('./restore.ts')).restoreCommand,
  },
  {
    name: 'refund',
    parameters: ['<order-number>'],
    options: ['--units <ids>', '--to <where>', '--reason <code>', '--as <name>'],
    summary: 'give an order, or units of it, back',
    description:
      '--units takes ids as orders show lists them, separated by commas; without it all that is left. --to original (where it was paid from) or store_credit. Above the setting refund_second_person_minor (USD 100.00) another person approves it.',
    load: async () => (await import('./refund.ts')).refundCommand,
  },
  {
    name: 'refund approve',
    parameters: ['<refund>'],
    options: ['--as <name>'],
    summary: 'approve a refund that somebody else has asked for',
    description: 'The worker hands it to the payment provider within a minute.',
    load: async () => (await import('./refund.ts')).approveCommand,
  },
  {
    name: 'refund repeat',
    parameters: ['<refund>'],
    options: ['--to <where>', '--as <name>'],
    summary: 'ask anew for a refund that the payment provider has refused',
    description:
      '--to original (where it was paid from) or store_credit, for a payer whose card or account is gone.',
    load: async () => (await import('./refund.ts')).repeatCommand,
  },
  {
    name: 'refund list',
    parameters: [],
    options: ['--json'],
    summary: 'list refunds, those that are not done first',
    description: 'With who asked, who approved, and what the provider said.',
    load: async () => (await import('./refund.ts')).listRefundsCommand,
  },
  {
    name: 'orders list',
    parameters: [],
    options: ['--status <status>', '--before <order-number>', '--limit <n>', '--json'],
    summary: 'list the orders of the shop, newest first',
    description:
      'Twenty at once, or as many as --limit says; those made before an order with --before.',
    load: async () => (await import('./orders.ts')).listCommand,
  },
  {
    name: 'orders show',
    parameters: ['<order-number>'],
    options: ['--json'],
    summary: 'tell everything about an order but its keys',
    description:
      'State, units, payments, refunds and what happened. Neither keys nor accounts that goods go to are shown.',
    load: async () => (await import('./orders.ts')).showCommand,
  },
  {
    name: 'orders undecided',
    parameters: [],
    options: ['--json'],
    summary: 'list orders that hold money and wait for a decision',
    description:
      'Longest first: paid too little, too late or in another currency, out of stock, in doubt, disputed, or with a question of the buyer. Says as well how many refunds were refused.',
    load: async () => (await import('./orders.ts')).listUndecidedCommand,
  },
  {
    name: 'orders release',
    parameters: ['<order-number>'],
    options: ['--as <name>'],
    summary: 'let an order go on that was held for a closer look',
    description:
      'Orders held for something else are decided by what they wait for: money, stock, a case or the payment provider.',
    load: async () => (await import('./orders.ts')).releaseCommand,
  },
  {
    name: 'orders return-money',
    parameters: ['<order-number>'],
    options: ['--as <name>'],
    summary: 'send back money that did not pay for its order',
    description:
      'For an order that was paid too little or in another currency: everything goes back to where it came from, and the buyer is told.',
    load: async () => (await import('./orders.ts')).returnMoneyCommand,
  },
  {
    name: 'fulfil list',
    parameters: [],
    options: ['--json'],
    summary: 'list what waits to be delivered by hand',
    description:
      'Paid goods that need a person, longest waiting first, with who has taken them up. What was taken up and not finished within half an hour is in doubt: somebody looks whether it was delivered, then says done or fail.',
    load: async () => (await import('./fulfil.ts')).listCommand,
  },
  {
    name: 'fulfil claim',
    parameters: [],
    options: ['--unit <unit>', '--as <name>', '--json'],
    summary: 'take the next unit up, and see the account it goes to',
    description:
      'For half an hour it is yours alone. With --unit that one in place of the one that has waited longest.',
    load: async () => (await import('./fulfil.ts')).claimCommand,
  },
  {
    name: 'fulfil release',
    parameters: ['<unit>'],
    options: ['--as <name>'],
    summary: 'put back a unit you have done nothing about',
    description: 'Only where nothing was delivered: it waits for somebody else then.',
    load: async () => (await import('./fulfil.ts')).releaseCommand,
  },
  {
    name: 'fulfil done',
    parameters: ['<unit>'],
    options: ['--proof <text>', '--as <name>'],
    summary: 'note that a unit was delivered, with what shows it',
    description: "The proof is the supplier's receipt number, say. Said twice it counts once.",
    load: async () => (await import('./fulfil.ts')).doneCommand,
  },
  {
    name: 'fulfil fail',
    parameters: ['<unit>'],
    options: ['--reason <code>', '--as <name>'],
    summary: 'note that a unit cannot be delivered; its price goes back',
    description:
      'Reasons: wrong_account, region_mismatch, supplier_refused, out_of_stock, other. The price is refunded to where it was paid from, and the buyer is told.',
    load: async () => (await import('./fulfil.ts')).failCommand,
  },
  {
    name: 'bank received',
    parameters: ['<order-number>', '<amount>', '<currency>'],
    options: ['--reference <text>', '--as <name>'],
    summary: "note money that came to the shop's bank account for an order",
    description:
      "As the account's statement has it. A line entered twice counts once: it goes by --reference, or by order and amount where none is given. The order is then paid, held or the money sent back, by the same rules as for every payment.",
    load: async () => (await import('./bank.ts')).receivedCommand,
  },
  {
    name: 'bank returned',
    parameters: ['<refund>'],
    options: ['--as <name>'],
    summary: 'note that you have sent a refund back by bank transfer',
    description: 'Until then such a refund waits, as nobody but you can send it.',
    load: async () => (await import('./bank.ts')).returnedCommand,
  },
  {
    name: 'payments reconcile',
    parameters: [],
    options: ['--since <instant>', '--as <name>'],
    summary: 'compare with the payment services, after a restore',
    description:
      'Asks about every payment that is open, and goes through everything the services took since the instant that was restored. What was paid and is known to no order is kept as a payment for somebody to see to. May be repeated; exit code 1 while something is left to do.',
    load: async () => (await import('./payments.ts')).reconcileCommand,
  },
  {
    name: 'payments strays',
    parameters: [],
    options: ['--json'],
    summary: 'list what was paid and is known to no order',
    description:
      'As payments reconcile found it, longest known first, until it was given back or somebody said what was done.',
    load: async () => (await import('./payments.ts')).listStraysCommand,
  },
  {
    name: 'payments return',
    parameters: ['<payment>'],
    options: ['--as <name>'],
    summary: 'give back what was paid and is known to no order',
    description: 'All of it, to where it was paid from. Asked for twice it is given back once.',
    load: async () => (await import('./payments.ts')).returnStrayCommand,
  },
  {
    name: 'payments close',
    parameters: ['<payment>', '<note>'],
    options: ['--as <name>'],
    summary: 'say what was done about a payment that is known to no order',
    description:
      "For one that was given back at the service, delivered by hand, or is another shop's of the same account.",
    load: async () => (await import('./payments.ts')).closeStrayCommand,
  },
  {
    name: 'credit grant',
    parameters: ['<email>', '<amount>', '<currency>'],
    options: ['--as <name>'],
    summary: 'give somebody store credit',
    description:
      'It is spendable at once, in that currency only, and stands in the books as a promotion.',
    load: async () => (await import('./credit.ts')).grantCommand,
  },
  {
    name: 'doctor',
    parameters: [],
    summary: 'check settings, folders and database, and say what is wrong',
    description: 'Changes nothing. Exit code 0 when all is well, 1 when something is not.',
    load: async () => (await import('./doctor.ts')).doctor,
  },
]
