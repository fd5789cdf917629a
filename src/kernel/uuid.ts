const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Whether a text is an id of a row, in the form the database writes it. Any other text would be refused as a parameter. */
export function isUuid(text: string): boolean {
  return UUID.test(text)
}

/** The least id of our own of a moment: their first 48 bits are its milliseconds. */
export function idAt(ms: number): string {
  const hex = Math.max(0, ms).toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`
}
