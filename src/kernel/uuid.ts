const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Whether a text is an id of a row, in the form the database writes it. Any other text would be refused as a parameter. */
export function isUuid(text: string): boolean {
  return UUID.test(text)
}
