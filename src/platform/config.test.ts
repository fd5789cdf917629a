import { inspect } from 'node:util'
import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { environmentOf } from './child-environment.ts'
import { addressOf, readConfig, type Config } from './config.ts'

function problemsOf(environment: Record<string, string>): string[] {
  try {
    readConfig(environment)
    return []
  } catch (error) {
    return (error as Error).message.split('\n')
  }
}

describe('defaults', () => {
  test('an empty environment gives the demo on this machine with the embedded database', () => {
    expect(readConfig({})).toEqual({
      host: '127.0.0.1',
      console: true,
      port: 3000,
      dataDirectory: resolve('data'),
      databaseUrl: undefined,
      publicUrl: 'http://127.0.0.1:3000',
      payment: {
        services: {},
        sandbox: null,
        apiUrls: {},
        bankTransferDetails: expect.stringContaining('SAMPLE ONLY') as string,
      },
      supply: { services: {}, apiUrls: {}, sandboxSecret: null },
      rates: { ecb: {} },
      screening: {},
      role: 'all',
      demo: true,
      isDemoPublic: false,
      shopTimeZone: 'UTC',
      logLevel: 'info',
      rateLimits: true,
      offlinePage: true,
      mcp: false,
      webhookLoopback: false,
      secretKey: undefined,
      vaultKeys: undefined,
      trustedProxies: '',
      strictPasswords: false,
      smtpUrl: undefined,
      mailFrom: 'no-reply@localhost',
      twilio: undefined,
      sandboxPorts: {},
      identity: { services: {}, sandboxSecret: null },
    })
  })

  test('an empty or blank variable counts as absent', () => {
    expect(readConfig({ PORT: '', HOST: ' ', DATABASE_URL: '', DEMO: '' })).toEqual(readConfig({}))
  })

  test('the demo is off by default with an own database or a public address, and can be asked for', () => {
    expect(readConfig({ DATABASE_URL: 'postgres://db/shop' }).demo).toBe(false)
    expect(readConfig({ PUBLIC_URL: 'http://localhost:3000' }).demo).toBe(false)
    expect(readConfig({ PUBLIC_URL: 'http://localhost:3000', DEMO: '1' }).demo).toBe(true)
    expect(readConfig({ DEMO: '0' }).demo).toBe(false)
  })

  test('the public address follows host and port', () => {
    expect(readConfig({ HOST: '0.0.0.0', PORT: '8080', DEMO: '0' }).publicUrl).toBe(
      'http://localhost:8080',
    )
    expect(addressOf('::1', 80)).toBe('http://[::1]:80')
    expect(readConfig({ PUBLIC_URL: 'https://Shop.example/' }).publicUrl).toBe(
      'https://shop.example',
    )
  })
})

describe('text messages', () => {
  const given = {
    TWILIO_ACCOUNT_SID: `AC${'0'.repeat(32)}`,
    TWILIO_AUTH_TOKEN: 'very secret',
    TWILIO_FROM: '+15005550006',
  }

  test('are sent with all of three settings, which a child process gets as well', () => {
    const config = readConfig(given)
    expect(config.twilio).toMatchObject({
      accountSid: given.TWILIO_ACCOUNT_SID,
      from: '+15005550006',
    })
    expect(config.twilio?.authToken.reveal()).toBe('very secret')
    expect(JSON.stringify(config)).not.toContain('very secret')
    expect(environmentOf(config)).toMatchObject(given)
  })

  test('with some of them missing are refused by name, without the token', () => {
    expect(problemsOf({ TWILIO_AUTH_TOKEN: 'very secret' })).toEqual([
      'TWILIO_ACCOUNT_SID and TWILIO_FROM must be set as well: text messages need all of TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN, TWILIO_FROM.',
    ])
  })

  test.each(['5005550006', '+0500', 'A name too long', 'Shöp', '12345', '<script>'])(
    'refuses TWILIO_FROM=%s',
    (from) => {
      expect(problemsOf({ ...given, TWILIO_FROM: from })[0]).toContain('TWILIO_FROM must be')
    },
  )
})

describe('mail', () => {
  test('comes from the public host, but from this machine when that is a number', () => {
    expect(readConfig({ PUBLIC_URL: 'https://shop.example:8443' }).mailFrom).toBe(
      'no-reply@shop.example',
    )
    expect(readConfig({ PUBLIC_URL: 'http://[::1]:3000' }).mailFrom).toBe('no-reply@localhost')
    expect(readConfig({ MAIL_FROM: 'desk@shop.example' }).mailFrom).toBe('desk@shop.example')
  })

  test.each([
    'Shop <a@shop.example>',
    'a@b@shop.example',
    '"a b"@shop.example',
    'a@shop.example\r\nBcc: b@shop.example',
    'a@',
    '@shop.example',
    'ä@shop.example',
  ])('refuses MAIL_FROM=%s', (address) => {
    expect(problemsOf({ MAIL_FROM: address })[0]).toContain('MAIL_FROM')
  })

  test.each(['http://mail.example', 'smtp://', 'mail.example:25', 'smtp://mail.example/folder'])(
    'refuses SMTP_URL=%s and does not repeat it',
    (url) => {
      expect(problemsOf({ SMTP_URL: url })).toEqual([
        'SMTP_URL must look like smtp://user:password@host:587 or smtps://user:password@host:465.',
      ])
    },
  )

  test('the ports of sandboxes count in the demo alone', () => {
    expect(readConfig({ SANDBOX_PORTS: 'mail:4001,smtp:4002' }).sandboxPorts).toEqual({
      mail: 4001,
      smtp: 4002,
    })
    expect(readConfig({ SANDBOX_PORTS: 'mail:4001', DEMO: '0' }).sandboxPorts).toEqual({})
    expect(problemsOf({ SANDBOX_PORTS: 'mail=4001' })).toEqual([
      expect.stringContaining('SANDBOX_PORTS'),
    ])
  })
})

describe('a demo', () => {
  const refused = (what: string) => [
    expect.stringContaining(
      `The demo is refused with ${what}, which others than this machine can reach`,
    ),
  ]

  test.each([
    [{ DEMO: '1', PUBLIC_URL: 'https://shop.example' }, 'PUBLIC_URL=https://shop.example'],
    [{ DEMO: '1', PUBLIC_URL: 'http://192.168.0.7:3000' }, 'PUBLIC_URL=http://192.168.0.7:3000'],
    [{ DEMO: '1', PUBLIC_URL: 'http://localhost:3000', HOST: '0.0.0.0' }, 'HOST=0.0.0.0'],
    [{ DEMO: '1', HOST: '::', DATABASE_URL: 'postgres://db/shop' }, 'HOST=::'],
    [{ HOST: '0.0.0.0' }, 'HOST=0.0.0.0'],
    [{ HOST: 'shop.example' }, 'HOST=shop.example'],
  ])(
    'that others than this machine can reach is refused in one sentence: %j',
    (environment, what) => {
      expect(problemsOf(environment)).toEqual(refused(what))
      expect(problemsOf({ ...environment, DEMO: 'public' })).toEqual([])
      expect(problemsOf({ ...environment, DEMO: '0' })).toEqual([])
    },
  )

  test.each([
    {},
    { HOST: '::1' },
    { HOST: 'localhost', DEMO: '1' },
    { PUBLIC_URL: 'http://127.0.0.1:8080', DEMO: '1' },
    { PUBLIC_URL: 'http://[::1]:8080', DEMO: '1' },
  ])('of this machine alone needs no word: %j', (environment) => {
    expect(readConfig(environment)).toMatchObject({ demo: true, isDemoPublic: false })
  })

  test('that is public is one for its processes too', () => {
    const config = readConfig({ DEMO: 'public', PUBLIC_URL: 'https://demo.example' })
    expect(config).toMatchObject({ demo: true, isDemoPublic: true })
    expect(readConfig(environmentOf(config))).toMatchObject({ demo: true, isDemoPublic: true })
  })
})

describe('faults', () => {
  test('all problems are told at once, one sentence each', () => {
    expect(
      problemsOf({
        PORT: '70000',
        HOST: 'a b',
        ROLE: 'web',
        DEMO: 'yes',
        SHOP_TIME_ZONE: 'Mars/Base',
        LOG_LEVEL: 'loud',
      }),
    ).toEqual([
      'PORT must be a whole number from 1 to 65535, not "70000".',
      'HOST must be an IP address or a host name, without a port, not "a b".',
      'DEMO must be 0, 1 or public, not "yes".',
      'SHOP_TIME_ZONE must be a time zone name like Europe/Berlin or UTC, not "Mars/Base".',
      'LOG_LEVEL must be debug, info, warn or error, not "loud".',
      'ROLE=web needs DATABASE_URL, because only ROLE=all runs the embedded PostgreSQL.',
      'ROLE=web needs SECRET_KEY, the same for every process of the shop: codes made by one are checked by another.',
    ])
  })

  test.each(['0', '-1', '65536', '80.5', '0x50', 'http', '1e3', '٣٠٠٠'])(
    'refuses PORT=%s',
    (port) => {
      expect(problemsOf({ PORT: port })).toEqual([expect.stringContaining('PORT')])
    },
  )

  test.each(['127.0.0.1:3000', 'http://localhost', '-shop', 'a..b'])('refuses HOST=%s', (host) => {
    expect(problemsOf({ HOST: host })).toEqual([expect.stringContaining('HOST')])
  })

  test.each([
    'shop.example',
    'ftp://shop.example',
    'https://shop.example/path',
    'https://user@shop.example',
    'https://shop.example/?a',
    'https://',
  ])('refuses PUBLIC_URL=%s', (url) => {
    expect(problemsOf({ PUBLIC_URL: url })).toEqual([expect.stringContaining('PUBLIC_URL')])
  })

  test.each(['mysql://host/shop', 'postgres://host', 'nonsense', 'postgres://'])(
    'refuses DATABASE_URL=%s',
    (url) => {
      expect(problemsOf({ DATABASE_URL: url })).toEqual([expect.stringContaining('DATABASE_URL')])
    },
  )

  test('a faulty database address is not repeated, since it holds a password', () => {
    expect(problemsOf({ DATABASE_URL: 'mysql://root:hunter2@host/shop' }).join()).not.toContain(
      'hunter2',
    )
  })

  test.each([
    ['ROLE', 'both'],
    ['RATE_LIMITS', 'no'],
    ['DATA_DIR', '~/shop'],
  ])('refuses %s=%s', (name, value) => {
    expect(problemsOf({ [name]: value })).toEqual([expect.stringContaining(name)])
  })

  test('rate limits cannot be off on a public https address, but can elsewhere', () => {
    expect(problemsOf({ RATE_LIMITS: 'off', PUBLIC_URL: 'https://shop.example' })).toEqual([
      expect.stringContaining('RATE_LIMITS=off'),
    ])
    expect(readConfig({ RATE_LIMITS: 'off', PUBLIC_URL: 'http://localhost:3000' }).rateLimits).toBe(
      false,
    )
  })
})

test('the configuration is frozen', () => {
  expect(Object.isFrozen(readConfig({}))).toBe(true)
})

test('the database address is never printed, and can be revealed', () => {
  const config = readConfig({ DATABASE_URL: 'postgres://shop:hunter2@db/shop' })
  expect(
    `${inspect(config, { depth: 9 })} ${JSON.stringify(config)} ${config.databaseUrl}`,
  ).not.toContain('hunter2')
  expect(config.databaseUrl?.reveal()).toBe('postgres://shop:hunter2@db/shop')
})

test('a child process reads the same configuration from the environment made for it', () => {
  const config = readConfig({
    PORT: '8080',
    DATABASE_URL: 'postgres://shop:hunter2@db/shop',
    ROLE: 'web',
    DEMO: '1',
    SHOP_TIME_ZONE: 'Asia/Tokyo',
    SECRET_KEY: Buffer.alloc(32, 1).toString('base64'),
    TRUSTED_PROXIES: '10.0.0.0/8',
    STRICT_PASSWORDS: '1',
    SMTP_URL: 'smtps://shop:hunter2@mail.example',
    MAIL_FROM: 'desk@shop.example',
    SANDBOX_PORTS: 'mail:4001,smtp:4002',
  })
  expect(revealed(readConfig(environmentOf(config)))).toEqual(revealed(config))
})

function revealed(config: Config) {
  return {
    ...config,
    databaseUrl: config.databaseUrl?.reveal(),
    secretKey: config.secretKey?.reveal(),
    smtpUrl: config.smtpUrl?.reveal(),
  }
}

test('a key to try with at another shop is no supplier: what it buys is no code', () => {
  const bought = (key: string) =>
    problemsOf({
      SUPPLY_LUKADO_URL: 'https://other.example',
      SUPPLY_LUKADO_KEY: key,
      SUPPLY_LUKADO_SECRET: 'lukado-secret-of-the-other-shop',
    }).filter((line) => line.includes('SUPPLY_LUKADO_KEY'))
  expect(bought('Zt3qN0f5Qy2mB7sJ1kVx9A')).toEqual([])
  expect(bought('test_f5Qy2mB7sJ1kVx9A_')).toEqual([expect.stringContaining('is a test key')])
})
