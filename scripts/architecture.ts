/** The architecture as data: what each layer and each file of a feature may import. ARCHITECTURE.md tells why. */
export const LAYERS: Readonly<Record<string, readonly string[]>> = {
  kernel: [],
  ui: ['kernel'],
  platform: ['kernel'],
  providers: ['kernel', 'platform'],
  features: ['kernel', 'platform', 'features', 'providers', 'ui'],
  api: ['kernel', 'platform', 'features'],
  storefront: ['kernel', 'platform', 'features', 'ui'],
  console: ['kernel', 'platform', 'features', 'ui'],
  sandbox: ['kernel', 'platform'],
  cli: ['kernel', 'platform', 'providers', 'features', 'cli'],
  root: [
    'kernel',
    'platform',
    'providers',
    'features',
    'api',
    'storefront',
    'console',
    'ui',
    'cli',
    'root',
  ],
}
/** The floors of features, lowest first: a feature may import its own floor and those below. Going up is done by a job or a registry. */
export const FLOORS = [
  'base',
  'team',
  'goods',
  'people',
  'marketing',
  'buying',
  'supply',
  'office',
  'leaving',
]
export const FEATURE_FILES = [
  'rules.ts',
  'schema.ts',
  'queries.ts',
  'commands.ts',
  'flows.ts',
  'jobs.ts',
  'snapshot.ts',
  'views.ts',
  'README.md',
]
/** Features cut into an engine of several files keep it in one of these folders. */
export const FEATURE_FOLDERS = [
  'components',
  'emails',
  'engine',
  'cover',
  'pipeline',
  'schema',
  'folder',
  'rows',
  'documents',
  'read',
  'write',
  'flow',
  'view',
]
export const FEATURE_REACH: Readonly<Record<string, readonly string[]>> = {
  'rules.ts': ['kernel', 'rules.ts', 'cover', 'folder', 'rows'],
  'schema.ts': ['kernel', 'rules.ts', 'schema.ts', 'cover'],
  'queries.ts': [
    'kernel',
    'platform',
    'rules.ts',
    'schema.ts',
    'queries.ts',
    'snapshot.ts',
    'read',
    'engine',
    'cover',
    'pipeline',
    'folder',
    'rows',
  ],
  read: [
    'kernel',
    'platform',
    'rules.ts',
    'schema.ts',
    'queries.ts',
    'snapshot.ts',
    'read',
    'engine',
    'pipeline',
    'folder',
    'rows',
  ],
  'snapshot.ts': [
    'kernel',
    'platform',
    'rules.ts',
    'schema.ts',
    'queries.ts',
    'snapshot.ts',
    'engine',
  ],
  'views.ts': [
    'kernel',
    'platform',
    'rules.ts',
    'schema.ts',
    'queries.ts',
    'snapshot.ts',
    'views.ts',
    'view',
    'engine',
  ],
  view: [
    'kernel',
    'platform',
    'rules.ts',
    'schema.ts',
    'queries.ts',
    'snapshot.ts',
    'views.ts',
    'view',
    'engine',
  ],
  components: ['kernel', 'ui', 'rules.ts', 'schema.ts', 'components'],
  emails: ['kernel', 'platform', 'rules.ts', 'schema.ts', 'emails'],
}
/** What outside services say of themselves is data: whoever reads settings, or lists what there is, may look at it. */
export const DECLARATIONS = /^providers\/[a-z]+\/services\.ts$/
/** What another feature may import. */
export const PUBLIC = [
  'rules.ts',
  'schema.ts',
  'queries.ts',
  'commands.ts',
  'snapshot.ts',
  'views.ts',
  'view',
  'components',
  'engine',
  'cover',
  'pipeline',
]
/** What those above the features may import of one: beside that its sequences and jobs, which they wire. */
export const PUBLIC_ABOVE = [...PUBLIC, 'flows.ts', 'jobs.ts']
/** Of what is no file of the program, what pure code may run: it asks nobody for anything. */
export const PURE_PACKAGES = ['node:url']
/** Whoever loads these can ask the database. */
export const DATABASE_PACKAGES = ['kysely', 'pg', 'graphile-worker']
