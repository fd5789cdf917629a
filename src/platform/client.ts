import pg from 'pg'

/**
 * A connection of its own, to be connected and ended by who asks for it. When it dies between two queries the next one fails, and
 * says so; without a listener the whole process would end at once.
 */
export function newClient(options: pg.ClientConfig): pg.Client {
  return new pg.Client(options).on('error', () => {})
}
