const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])

/** Plain http is good enough only where no network lies between. */
export function isLoopback(url: URL): boolean {
  return LOOPBACK.has(url.hostname)
}
