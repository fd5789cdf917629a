/**
 * `npm run test:proxies`: the examples of docs/operating/proxy.md, with nothing but addresses and paths changed, before a shop that
 * runs as `npm start` runs it. Takes nginx and Caddy from PATH; root on Debian gets the packages.
 */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '#platform/free-port.ts'
import { inheritedEnvironment } from '#platform/child-environment.ts'
import { PROJECT_ROOT } from '#platform/project.ts'
import { installPackages, isDebianRoot } from '../../scripts/debian-packages.ts'
import { findFaults, type Place } from './faults.ts'
import { removeDataFolder } from '../support/data-folder.ts'

const READY_MS = 240_000
/** Sent as a secret; must be in no log. */
const CANARY = 'canary-7f3a'

type Proxy = Readonly<{
  name: 'nginx' | 'caddy'
  /** The example as the page shows it, made to run in a folder. */
  configure: (example: string, place: Place) => void
  command: (folder: string) => readonly [string, readonly string[]]
}>

const proxies: readonly Proxy[] = [
  {
    name: 'nginx',
    configure: (example, { folder, port, shopPort }) => {
      makeCertificate(folder)
      const site = example
        .replaceAll('listen 443', `listen 127.0.0.1:${port}`)
        .replaceAll('shop.example;', 'localhost;')
        .replaceAll('/etc/ssl/shop.example', folder)
        .replaceAll('/var/log/nginx', `${folder}/log`)
        .replaceAll('127.0.0.1:3000', `127.0.0.1:${shopPort}`)
      const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
        .map((name) => `${name}_temp_path ${folder}/${name};`)
        .join('\n')
      writeFileSync(
        join(folder, 'nginx.conf'),
        `pid ${folder}/nginx.pid;\ndaemon off;\nuser root;\nerror_log ${folder}/log/main.log crit;\nevents {}\nhttp {\n${temporary}\n${site}\n}\n`,
      )
    },
    command: (folder) => ['nginx', ['-p', folder, '-c', join(folder, 'nginx.conf')]],
  },
  {
    name: 'caddy',
    configure: (example, { folder, port, shopPort }) => {
      const site = example
        .replace(/^shop\.example \{/m, `localhost:${port} {\n  bind 127.0.0.1\n  tls internal`)
        .replaceAll('/var/log/caddy', `${folder}/log`)
        .replaceAll('127.0.0.1:3000', `127.0.0.1:${shopPort}`)
      writeFileSync(
        join(folder, 'Caddyfile'),
        `{\n  admin off\n  auto_https disable_redirects\n  skip_install_trust\n}\n${site}\n`,
      )
    },
    command: (folder) => ['caddy', ['run', '--config', join(folder, 'Caddyfile')]],
  },
]

process.exitCode = await run()

async function run(): Promise<number> {
  const missing = proxies.map(({ name }) => name).filter((name) => !isThere(name))
  if (missing.length > 0 && isDebianRoot())
    installPackages(
      missing.map((name) => (name === 'nginx' ? 'nginx-light' : name)),
      'the test of proxies',
    )
  let failed = 0
  for (const proxy of proxies) {
    const faults = isThere(proxy.name)
      ? await tryProxy(proxy)
      : [`${proxy.name} is not on this machine`]
    process.stdout.write(
      `${proxy.name} (${versionOf(proxy.name)}): ${faults.join('; ') || 'passed'}\n`,
    )
    failed += faults.length
  }
  process.stdout.write(`${proxies.length} proxies, ${failed} faults\n`)
  return failed === 0 ? 0 : 1
}

async function tryProxy(proxy: Proxy): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), `lukado-${proxy.name}-`))
  mkdirSync(join(folder, 'log'))
  const place: Place = {
    folder,
    port: await freePort(),
    shopPort: await freePort(),
    canary: CANARY,
  }
  proxy.configure(exampleOf(proxy.name), place)
  const shop = start('node', ['src/cli.ts', 'start'], {
    PORT: String(place.shopPort),
    DATA_DIR: join(folder, 'data'),
    DEMO: '1',
    PUBLIC_URL: `https://localhost:${place.port}`,
    TRUSTED_PROXIES: '127.0.0.1',
    LOG_LEVEL: 'warn',
  })
  let server: Started | undefined
  try {
    await until(READY_MS, () => shop.output().includes('Ready: '), shop)
    const [program, args] = proxy.command(folder)
    server = start(program, args, { HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder })
    return await findFaults(place, () => logsIn(join(folder, 'log')) + (server?.output() ?? ''))
  } catch (error) {
    return [`${String(error)} ${(server ?? shop).output().slice(-2_000)}`]
  } finally {
    await server?.stop()
    await shop.stop()
    removeDataFolder(folder)
  }
}

/** The block of the page below the line that names the proxy. */
function exampleOf(name: Proxy['name']): string {
  const page = readFileSync(join(PROJECT_ROOT, 'docs', 'operating', 'proxy.md'), 'utf8')
  const heading = name === 'nginx' ? 'nginx:' : 'Caddy:'
  const example = page.split(`\n${heading}\n\`\`\`\n`)[1]?.split('\n```')[0]
  if (!example) throw new Error(`docs/operating/proxy.md has no example for ${name}`)
  return example
}

function makeCertificate(folder: string): void {
  const made = spawnSync(
    'openssl',
    `req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -keyout ${folder}/privkey.pem -out ${folder}/fullchain.pem`.split(
      ' ',
    ),
  )
  if (made.status !== 0) throw new Error(`no certificate: ${made.stderr?.toString() ?? ''}`)
}

function logsIn(folder: string): string {
  return readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('')
}

interface Started {
  readonly output: () => string
  readonly hasEnded: () => boolean
  readonly stop: () => Promise<void>
}

function start(
  program: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
): Started {
  const child: ChildProcess = spawn(program, args, {
    cwd: PROJECT_ROOT,
    env: { ...inheritedEnvironment(), ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const keep = (chunk: Buffer) => (output = (output + chunk.toString()).slice(-200_000))
  child.stdout?.on('data', keep)
  child.stderr?.on('data', keep)
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  child.once('error', (error) => (output += String(error)))
  return {
    output: () => output,
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    stop: async () => {
      child.kill('SIGTERM')
      await Promise.race([ended, sleep(30_000)])
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
    },
  }
}

async function until(withinMs: number, isSo: () => boolean, started: Started): Promise<void> {
  for (const end = performance.now() + withinMs; !isSo(); await sleep(100)) {
    if (started.hasEnded()) throw new Error('ended at once:')
    if (performance.now() > end) throw new Error('not ready in time:')
  }
}

function isThere(name: string): boolean {
  return !spawnSync(name, ['-h'], { stdio: 'ignore' }).error
}

function versionOf(name: string): string {
  const { stdout, stderr } = spawnSync(name, [name === 'nginx' ? '-v' : 'version'], {
    encoding: 'utf8',
  })
  return `${stdout ?? ''}${stderr ?? ''}`.trim().split('\n')[0] ?? 'absent'
}
