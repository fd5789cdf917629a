import type { TechnicalCommand } from '../commands.ts'

export const technicalCommands: readonly TechnicalCommand[] = [
  {
    name: 'start',
    parameters: [],
    summary: 'build what is stale, start the database, the shop and its worker',
    description: 'Runs the shop until it is stopped with Ctrl-C or SIGTERM. The same as npm start.',
    load: async () => (await import('../start.ts')).start,
  },
  {
    name: 'migrate',
    parameters: [],
    summary: 'bring the database to the newest schema',
    description:
      'Applies the migrations the database does not have yet. npm start does so by itself.',
    load: async () => (await import('../migrate.ts')).migrateCommand,
  },
  {
    name: 'keys demo',
    parameters: ['<item>', '<count>'],
    summary: 'make up keys for an item of the demo shop',
    description:
      "They look like the brand's keys and redeem nothing. The demo keeps its shelves filled by itself; this is for many purchases of one item.",
    load: async () => (await import('../keys.ts')).demoKeysCommand,
  },
  {
    name: 'demo-goods',
    parameters: [],
    summary: "read the demo's own catalogue into a demo shop",
    description: 'npm start does so by itself in a new demo shop.',
    load: async () => (await import('../import.ts')).demoGoodsCommand,
  },
  {
    name: 'demo-keys',
    parameters: [],
    summary: 'put the first made-up keys onto every shelf of the demo shop',
    description: 'npm start does so by itself in a new demo shop.',
    load: async () => (await import('../keys.ts')).openDemoShelvesCommand,
  },
  {
    name: 'demo-people',
    parameters: [],
    summary: "make the demo shop's shopper and operator, or new passwords for them",
    description:
      'Writes their names and passwords to demo.json in the data directory. npm start does so by itself in a new demo shop.',
    load: async () => (await import('../demo-people.ts')).demoPeopleCommand,
  },
  {
    name: 'backup',
    parameters: [],
    options: ['--to <folder>', '--keep <count>'],
    summary: 'copy the embedded database while the shop runs',
    description:
      'Into BACKUP_DIR, or the folder of --to, with a list of all files and their SHA-256. --keep removes all but that many, and the archived log they do not need. vault.key and secret.key are never in it.',
    load: async () => (await import('../backup.ts')).backupCommand,
  },
  {
    name: 'restore',
    parameters: ['<backup>'],
    options: ['--at <instant>', '--no-quarantine'],
    summary: "make an empty DATA_DIR's database what it was at an instant",
    description:
      'From a folder in BACKUP_DIR/base and the log archived since; without --at everything there is. Keys of what was being sold are kept back until keys release, as some of them were sold after that instant; --no-quarantine leaves them on sale.',
    load: async () => (await import('../restore.ts')).restoreCommand,
  },
  {
    name: 'after-restore',
    parameters: [],
    options: ['--no-quarantine'],
    summary: "make a database that your own server's tools brought back fit to be opened",
    description:
      'After a restore to an earlier instant, or when a copy that lags has taken over; restore does the same by itself. Numbers of orders move on, so that none is given twice, everybody has to sign in again, and keys of what was being sold are kept back until keys release. With the shop stopped, and DATABASE_OWNER_URL where you have two roles.',
    load: async () => (await import('../after-restore.ts')).afterRestoreCommand,
  },
  {
    name: 'doctor',
    parameters: [],
    summary: 'look at all that a shop needs, and say what is wrong and what waits',
    description: 'Changes nothing. Exit code 0 when all is well, 1 when something is not.',
    load: async () => (await import('../doctor.ts')).doctor,
  },
  {
    name: 'extension test',
    parameters: ['<address>'],
    needed: ['--kind <kind>'],
    options: ['--secret-file <file>', '--pages <origins>', '--buy <product>', '--fields <json>'],
    summary: 'try whether a payment service or supplier of your own keeps its contract',
    description:
      'Of kind payment or supplier; docs/operating/extending.md is the contract. The secret comes from EXTENSION_SECRET, a file, or is asked for. Payments are begun and ended there and none is paid, but by a service that says it is in test mode; a supplier sells nothing unless --buy names a product. Exit code 0 when no rule is broken, 1 else.',
    load: async () => (await import('../extension.ts')).testCommand,
  },
]
