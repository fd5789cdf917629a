/** Says that an act waits for another person; the same for every command. @returns the exit code: nothing has failed */
export function writeWaiting(approval: string): number {
  process.stdout.write(
    `That is above your limits and waits for another person: npm run cli -- approvals approve ${approval} --as <name>\n`,
  )
  return 0
}
