/** A name for one act, so that it is done once however often it is sent. Not `randomUUID`, which browsers have under https alone. */
export function newActKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')
}
