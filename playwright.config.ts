import { availableParallelism } from 'node:os'
import { defineConfig } from '@playwright/test'
import { ON_DESKTOP, ON_PHONE } from './test/e2e/screens.ts'

const ALONE = /console-payments\.spec\.ts$/
const isLong = process.env.LONG === '1'

/**
 * Journeys in a real Chromium against the shop as `npm start` runs it: embedded PostgreSQL, demo catalogue, built pages.
 * CHROME_PATH names the browser (scripts/ensure-browser.ts finds or installs it).
 */
export default defineConfig({
  testDir: 'test/e2e',
  globalSetup: './test/e2e/shop.ts',
  outputDir: 'test-results',
  // Half of a journey is waiting: for mails, for the payment service, for the page to stand still.
  workers: Math.min(Math.ceil(availableParallelism() * 1.5), 4),
  fullyParallel: true,
  forbidOnly: Boolean(process.env.CI),
  // Once more, told as flaky: a browser on a busy machine is late for reasons of its own.
  retries: 1,
  // Bounds on hanging, not on work: a busy machine is slow, and a journey of many pages long.
  timeout: 600_000,
  expect: { timeout: 60_000 },
  // A program keeps the last words: those of 'dot' are what failed and why.
  reporter: process.env.CI || !process.stdout.isTTY ? [['dot']] : [['list']],
  use: {
    // One step that can never be made says so soon, instead of waiting for the journey's bound.
    actionTimeout: 60_000,
    navigationTimeout: 120_000,
    launchOptions: {
      ...(process.env.CHROME_PATH ? { executablePath: process.env.CHROME_PATH } : {}),
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
    locale: 'en-US',
    timezoneId: 'UTC',
  },
  projects: [
    // What is settled by one person alone as long as no other journey has brought a second into the team.
    { name: 'alone', testMatch: ALONE, use: { viewport: { width: 1440, height: 900 } } },
    {
      name: 'desktop',
      testIgnore: [ALONE, ...(isLong ? [] : ON_PHONE)],
      ...(isLong ? {} : { grepInvert: /@phone/ }),
      dependencies: ['alone'],
      use: { viewport: { width: 1440, height: 900 } },
    },
    {
      name: 'phone',
      testIgnore: [ALONE, ...(isLong ? [] : ON_DESKTOP)],
      ...(isLong ? {} : { grepInvert: /@desktop/ }),
      // In the short run nobody joins the team on a phone, and nothing waits.
      dependencies: isLong ? ['alone'] : [],
      use: {
        viewport: { width: 390, height: 844 },
        hasTouch: true,
        isMobile: true,
        deviceScaleFactor: 2,
      },
    },
  ],
})
