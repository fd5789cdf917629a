import { AppError } from '#kernel/error.ts'

/** Shown in the place of another page; it has no address of its own. */
export function load(): Promise<never> {
  throw new AppError('not_found')
}
