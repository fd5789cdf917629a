import type { Browser, Page } from '@playwright/test'
import type { Owner } from './owner.ts'

/** What a task stands on. */
export interface Ground {
  readonly browser: Browser
  readonly shopUrl: string
  /** Told apart from what an earlier run left: letters and digits. */
  readonly mark: string
  /** A window of somebody else, closed when the task ends. */
  readonly window: () => Promise<Page>
  /** The text of a page of the shop, as a visitor gets it. */
  readonly shopPage: (path: string) => Promise<string>
  /** The owner sits down at the console's home; from here on it is counted. */
  readonly sitDown: () => Promise<Owner>
}

/** Something that an owner of a shop wants, and where it shows that it is so. */
export interface OwnerTask {
  /** On the command line. */
  readonly name: string
  readonly title: string
  /** The way through the console, as one would tell it. */
  readonly way: string
  readonly ends: string
  /** What is hard about it, told plainly. */
  readonly hard?: string
  /** Throws where the end is not seen. */
  readonly perform: (ground: Ground) => Promise<void>
}
