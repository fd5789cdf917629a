import { spawn } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../src/platform/free-port.ts'
import { openStripeSandbox } from '../../src/sandbox/stripe/service.ts'
import { STRIPE_KEY, STRIPE_SIGNING } from './console/stripe.ts'
import { removeDataFolder } from '../support/data-folder.ts'

const READY_TIMEOUT_MS = 180_000

/**
 * Starts the demo shop on an empty data directory and a free port; SHOP_URL tells the tests where, SHOP_DATA_DIR what its
 * operator's commands work on. An address given is used as it is. By name, as passkeys belong to names; without request
 * limits, as all of these people come from one address and are quick.
 */
export default async function startShop(): Promise<(() => Promise<void>) | undefined> {
  if (process.env.SHOP_URL) return undefined
  const dataDirectory = mkdtempSync(join(tmpdir(), 'lukado-e2e-'))
  const port = await freePort()
  const address = `http://localhost:${port}`
  // Nobody is asked at Stripe's own address: settings that are entered in the console are tried here.
  const stripe = await openStripeSandbox({
    port: 0,
    secretKey: STRIPE_KEY,
    webhookSecret: STRIPE_SIGNING,
    webhookUrl: null,
  })
  const child = spawn(process.execPath, ['src/cli.ts', 'start'], {
    env: {
      ...process.env,
      PORT: String(port),
      DATA_DIR: dataDirectory,
      LOG_LEVEL: 'warn',
      DATABASE_URL: '',
      PUBLIC_URL: address,
      DEMO: '1',
      RATE_LIMITS: 'off',
      SMTP_URL: '',
      STRIPE_API_URL: stripe.origin,
      NODE_ENV: 'production',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new Error('the shop was not ready in time')),
      READY_TIMEOUT_MS,
    )
    let output = ''
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString()
      if (!output.includes('Ready: ')) return
      clearTimeout(timer)
      resolve()
    })
    child.once('exit', (code) => reject(new Error(`the shop ended with code ${code}: ${output}`)))
  })
  process.env.SHOP_URL = address
  process.env.SHOP_DATA_DIR = dataDirectory
  return async () => {
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGTERM')
    await ended
    stripe.close()
    removeDataFolder(dataDirectory)
  }
}
