import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { SETTING_NAMES, readConfig } from '../src/platform/config.ts'

interface Service {
  readonly env_file?: readonly { readonly path: string; readonly required: boolean }[]
  readonly image?: string
  readonly environment: Readonly<Record<string, string>>
  readonly ports?: readonly string[]
  readonly read_only?: boolean
  readonly tmpfs?: readonly string[]
  readonly cap_drop?: readonly string[]
  readonly cap_add?: readonly string[]
  readonly security_opt?: readonly string[]
}

const ROOT = join(import.meta.dirname, '..')
const text = (name: string) => readFileSync(join(ROOT, name), 'utf8')
const { services } = parse(text('compose.yaml')) as {
  services: { shop: Service; database: Service }
}

/** Replaces ${NAME}, ${NAME:-default} and ${NAME:?message} as compose does. */
function interpolated(
  environment: Service['environment'],
  given: Record<string, string>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).map(([name, value]) => [
      name,
      value.replaceAll(
        /\$\{([A-Z_]+)(?::-([^}]*)|:\?[^}]*)?\}/g,
        (_, key: string, other = '') => given[key] || other,
      ),
    ]),
  )
}

/** What the image sets, the embedded database's alone, and what `start` tells its own processes. */
const NOT_PASSED = [
  'PORT',
  'HOST',
  'DATA_DIR',
  'ROLE',
  'BACKUP_DIR',
  'SANDBOX_PORTS',
  'SANDBOX_IDENTITY_SECRET',
  'SANDBOX_PAYMENT_SECRET',
  'SANDBOX_SUPPLY_SECRET',
  'SANDBOX_SHOP_URL',
]

test('compose passes every setting of the shop, under its own name', () => {
  const { environment } = services.shop
  expect(Object.keys(environment).toSorted()).toEqual(
    SETTING_NAMES.filter((name) => !NOT_PASSED.includes(name)).toSorted(),
  )
  for (const [name, value] of Object.entries(environment))
    expect(value, name).toMatch(
      name === 'DATABASE_URL' ? /\$\{POSTGRES_PASSWORD:\?/ : new RegExp(`^\\$\\{${name}:-`),
    )
})

test('compose passes the file of settings whole, so that those of outside services arrive', () => {
  expect(services.shop.env_file).toEqual([{ path: '.env', required: false }])
})

test('compose is a real shop unless told otherwise, and its settings are accepted in the container', () => {
  const inContainer = (given: Record<string, string>) =>
    readConfig({
      HOST: '0.0.0.0',
      DATA_DIR: '/data',
      ...interpolated(services.shop.environment, { POSTGRES_PASSWORD: 'x', ...given }),
    })
  expect(inContainer({})).toMatchObject({
    demo: false,
    publicUrl: 'http://localhost:3000',
    trustedProxies: '',
  })
  expect(
    inContainer({ TRUSTED_PROXIES: '10.0.0.0/8', PUBLIC_URL: 'https://shop.example' }),
  ).toMatchObject({ demo: false, trustedProxies: '10.0.0.0/8', publicUrl: 'https://shop.example' })
  expect(inContainer({ DEMO: 'public' })).toMatchObject({ demo: true, isDemoPublic: true })
  expect(() => inContainer({ DEMO: '1' })).toThrow('The demo is refused')
})

test('containers may gain nothing, write nowhere but to their volume, and are reached from this machine alone', () => {
  for (const service of Object.values(services)) {
    expect(service).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
    })
    expect(service.tmpfs?.length).toBeGreaterThan(0)
    for (const port of service.ports ?? []) expect(port).toMatch(/^127\.0\.0\.1:/)
  }
  expect(services.shop.cap_add).toBeUndefined()
})

test('an image that is not pinned by its digest can be, and the file says why it is not', () => {
  expect(services.database.image).toMatch(/^\$\{POSTGRES_IMAGE:-postgres:18/)
  expect(text('compose.yaml')).toContain('Not pinned by digest: none could be looked up')
  const dockerfile = text('Dockerfile')
  expect(dockerfile.match(/^FROM .*$/gm)).toEqual([
    'FROM ${NODE_IMAGE} AS build',
    'FROM ${NODE_IMAGE} AS modules',
    'FROM ${NODE_IMAGE}',
  ])
  expect(dockerfile).toContain('Not pinned by digest: none could be looked up')
})

test('the image runs as a plain user, on a production install and what was built before', () => {
  const dockerfile = text('Dockerfile')
  expect(dockerfile.lastIndexOf('USER node')).toBeGreaterThan(dockerfile.lastIndexOf('COPY'))
  const last = dockerfile.slice(dockerfile.lastIndexOf('FROM '))
  expect(dockerfile).toContain('ARG PACKAGES=--omit=dev\nRUN npm ci ${PACKAGES}\n')
  expect(text('compose.yaml')).toContain('PACKAGES: ${PACKAGES---omit=dev}')
  expect(last.match(/^(?:COPY|RUN) .*$/gm)).toEqual([
    'RUN mkdir /data && chown node:node /data',
    'COPY . .',
    'COPY --from=modules /app/node_modules ./node_modules',
    'COPY --from=build /app/build ./build',
  ])
  expect(text('.dockerignore').split('\n')).toEqual(
    expect.arrayContaining(['node_modules', 'build', '.env']),
  )
})

test('every command of the documentation that starts a container says what DEMO is, or starts a real shop', () => {
  const pages = ['README.md', 'docs/operating/install.md', 'docs/operating/configure.md']
    .map(text)
    .join('\n')
  const commands = pages
    .split('\n')
    .filter((line) => /docker run/.test(line) && !/^[A-Z#|-]/.test(line.trim()))
  expect(commands.length).toBeGreaterThan(0)
  for (const command of commands) expect(command).toMatch(/DEMO=/)
})

/** Of the Compose Specification, those that this file may use: docs.docker.com/reference/compose-file. */
const COMPOSE = {
  top: ['services', 'volumes'],
  service: [
    'build',
    'cap_add',
    'cap_drop',
    'depends_on',
    'env_file',
    'environment',
    'healthcheck',
    'image',
    'init',
    'ports',
    'read_only',
    'restart',
    'security_opt',
    'shm_size',
    'stop_grace_period',
    'tmpfs',
    'volumes',
  ],
  build: ['context', 'args'],
  healthcheck: ['test', 'interval', 'timeout', 'retries', 'start_period'],
}
const CONDITIONS = ['service_started', 'service_healthy', 'service_completed_successfully']

test('compose.yaml says nothing that compose does not know, and names nothing that is not there', () => {
  type Fields = Readonly<Record<string, unknown>>
  const file = parse(text('compose.yaml')) as Fields
  const all = file['services'] as Readonly<Record<string, Fields>>
  const fields = (value: unknown) => Object.keys((value ?? {}) as Fields)
  expect(COMPOSE.top).toEqual(expect.arrayContaining(fields(file)))
  for (const service of Object.values(all)) {
    expect(COMPOSE.service).toEqual(expect.arrayContaining(fields(service)))
    expect(COMPOSE.build).toEqual(expect.arrayContaining(fields(service['build'])))
    expect(COMPOSE.healthcheck).toEqual(expect.arrayContaining(fields(service['healthcheck'])))
    for (const [name, { condition }] of Object.entries(
      (service['depends_on'] ?? {}) as Readonly<Record<string, { condition: string }>>,
    )) {
      expect(Object.keys(all)).toContain(name)
      expect(CONDITIONS).toContain(condition)
      expect(all[name]).toHaveProperty('healthcheck')
    }
    for (const mount of (service['volumes'] ?? []) as readonly string[])
      expect(fields(file['volumes'])).toContain(mount.split(':')[0])
    for (const time of ['stop_grace_period'] as const)
      expect(String(service[time] ?? '1s')).toMatch(/^\d+(ms|s|m)$/)
  }
})
