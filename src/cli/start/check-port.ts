import { createServer } from 'node:net'
import { refusal, systemErrorCode } from '#platform/refusal.ts'

/** Refuses an address that the web process could not listen on, before anything is started. */
export function checkPort(host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', (error) =>
      reject(refusal(sentenceFor(systemErrorCode(error), host, port) ?? error.message, error)),
    )
    probe.listen({ host, port, exclusive: true }, () => probe.close(() => resolve()))
  })
}

function sentenceFor(code: string | undefined, host: string, port: number): string | undefined {
  switch (code) {
    case 'EADDRINUSE':
      return `Port ${port} of ${host} is in use by another program. Stop that program, or set PORT to another number.`
    case 'EACCES':
      return `This user may not listen on port ${port}. Set PORT to a number above 1023.`
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `HOST ${host} is not an address of this machine.`
    default:
      return undefined
  }
}
