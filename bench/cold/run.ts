import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'vite'
import { PROJECT_ROOT } from '#platform/project.ts'
import { runNode } from '../processes.ts'
import type { ColdFigures, ColdTask } from './task.ts'

const FOLDER = join(PROJECT_ROOT, 'build', 'bench')

/** Bundles the cold-render process with the server's own settings. */
export async function buildColdRender(): Promise<void> {
  process.env['NODE_ENV'] = 'production'
  await build({
    root: PROJECT_ROOT,
    configLoader: 'native',
    logLevel: 'warn',
    build: {
      ssr: true,
      outDir: FOLDER,
      rolldownOptions: { input: join(import.meta.dirname, 'entry.tsx') },
    },
  })
}

export interface ColdOptions {
  readonly databaseUrl: string
  readonly folder: string
  readonly targets: ColdTask['targets']
  readonly rounds: number
  /** Writes a CPU profile into `folder`. */
  readonly profile?: boolean
}

export async function measureColdRender({
  databaseUrl,
  folder,
  targets,
  rounds,
  profile = false,
}: ColdOptions): Promise<ColdFigures> {
  const resultFile = join(folder, 'cold-render.json')
  const task: ColdTask = { databaseUrl, targets, rounds, warmUps: 6, resultFile }
  const flags = profile ? ['--cpu-prof', `--cpu-prof-dir=${folder}`] : []
  await runNode([...flags, join(FOLDER, 'entry.js')], {
    COLD_TASK: JSON.stringify(task),
    NODE_ENV: 'production',
  })
  return JSON.parse(readFileSync(resultFile, 'utf8')) as ColdFigures
}

const LANGUAGES = ['', '/de', '/ja', '/ar', '/zh', '/ru', '/th', '/es']
const CURRENCIES = ['USD', 'EUR', 'JPY', 'BRL']

/** List pages in several languages, scripts and currencies, all with a full page of cards. */
export const COLD_TARGETS: ColdTask['targets'] = LANGUAGES.flatMap((prefix, at) =>
  ['/cards', '/cards?page=2', '/cards?sort=price_asc', '/top-up'].map((address, place) => ({
    target: `${prefix}${address}`,
    currency: CURRENCIES[(at + place) % CURRENCIES.length] ?? 'USD',
  })),
)
