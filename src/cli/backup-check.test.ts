import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  backupNote,
  backupProblems,
  lastRestoreIn,
  noteRestore,
  type ArchiverFacts,
  type BackupFacts,
} from './backup-check.ts'

const NOW = new Date('2026-11-22T12:00:00Z')
const ago = (minutes: number) => new Date(NOW.getTime() - minutes * 60_000)
const archiver: ArchiverFacts = {
  isOn: true,
  lastArchivedAt: ago(1),
  lastFailedAt: null,
  failedCount: 0,
  waiting: { count: 0, since: null },
}
const good: BackupFacts = {
  directory: '/backup',
  isOwnServer: false,
  archiver,
  newestCopy: ago(9 * 60),
}
const with_ = (changes: Partial<ArchiverFacts>): BackupFacts => ({
  ...good,
  archiver: { ...archiver, ...changes },
})

test('what goes well is told in a line', () => {
  expect(backupProblems(good, NOW)).toEqual([])
  expect(backupNote(good)).toBe(
    'log archived last at 2026-11-22 11:59 UTC; newest base backup of 2026-11-22 03:00 UTC',
  )
  expect(backupNote({ ...good, archiver: null })).toMatch(/does not run/)
})

test('an archive that failed once and goes on is none that fails', () => {
  expect(backupProblems(with_({ lastFailedAt: ago(30), failedCount: 3 }), NOW)).toEqual([])
})

test.each<[string, BackupFacts, RegExp]>([
  [
    'fails',
    with_({ lastFailedAt: ago(0), failedCount: 12 }),
    /^archiving the database's log fails \(12 times, last at 2026-11-22 12:00 UTC; the last that went well was at 2026-11-22 11:59 UTC\): look at \/backup/,
  ],
  [
    'has never worked',
    with_({ lastArchivedAt: null, lastFailedAt: ago(3), failedCount: 1 }),
    /none has gone well/,
  ],
  [
    'is behind',
    with_({ lastArchivedAt: ago(40), waiting: { count: 7, since: ago(39) } }),
    /^archiving is behind: 7 pieces of the log wait since 2026-11-22 11:21 UTC/,
  ],
  ['is off in the server that runs', with_({ isOn: false }), /restart the shop/],
  [
    'has no base backup',
    { ...good, newestCopy: null },
    /no base backup .* npm run cli -- backup --keep 7/,
  ],
  ['has an old base backup', { ...good, newestCopy: ago(5 * 24 * 60) }, /5 days old/],
  [
    "fails on a server of one's own",
    {
      directory: null,
      isOwnServer: true,
      archiver: { ...archiver, lastFailedAt: NOW },
      newestCopy: null,
    },
    /its archive_command/,
  ],
])('backups are wrong where archiving %s', (_, facts, sentence) => {
  const problems = backupProblems(facts, NOW)
  expect(problems).toHaveLength(1)
  expect(problems[0]).toMatch(sentence)
})

test('pieces that have waited for moments are on their way; without BACKUP_DIR, or with other tools, nothing is asked for', () => {
  expect(backupProblems(with_({ waiting: { count: 2, since: ago(1) } }), NOW)).toEqual([])
  expect(
    backupProblems(
      { ...good, directory: null, archiver: { ...archiver, isOn: false }, newestCopy: null },
      NOW,
    ),
  ).toEqual([])
  expect(
    backupProblems(
      { ...good, isOwnServer: true, archiver: { ...archiver, isOn: false }, newestCopy: null },
      NOW,
    ),
  ).toEqual([])
})

test('the last restore is told, and that none was; what is no note is none', () => {
  const at = ago(60)
  expect(backupNote({ ...good, lastRestore: null })).toMatch(/no restore has been rehearsed/)
  expect(backupNote({ ...good, lastRestore: { at, isRight: true } })).toMatch(
    /restored last at 2026-11-22 11:00 UTC, and every promise held$/,
  )
  const folder = mkdtempSync(join(tmpdir(), 'restore-note-'))
  try {
    expect(lastRestoreIn(folder)).toBeNull()
    noteRestore(folder, { at, isRight: false })
    expect(lastRestoreIn(folder)).toEqual({ at, isRight: false })
    writeFileSync(join(folder, 'last-restore.json'), '{"at":"soon"}')
    expect(lastRestoreIn(folder)).toBeNull()
    noteRestore(join(folder, 'nowhere'), { at, isRight: true })
  } finally {
    rmSync(folder, { recursive: true })
  }
})
