import { expect, it } from 'vitest'
import { readConfig } from './config.ts'
import { readSettings } from './settings.ts'

function problemsWith(environment: Record<string, string>): readonly string[] {
  // In production, no secrets are generated and no file is written.
  const result = readConfig({ NODE_ENV: 'production', JWT_SECRET: 'x'.repeat(32), ...environment }, [])
  return 'problems' in result ? result.problems : []
}

it('has the documented retention defaults', () => {
  const { settings } = readSettings({})
  expect([
    settings.RETENTION_DAYS,
    settings.BODY_RETENTION_DAYS,
    settings.BODY_MAX_BYTES,
    settings.DEDUPE_DAYS,
  ]).toEqual([14, 7, 10 * 1024 ** 3, 90])
  expect(settings.MAX_EVENT_AGE_DAYS).toBeUndefined()
  expect(readSettings({ BODY_MAX_BYTES: '2gb' }).settings.BODY_MAX_BYTES).toBe(2 * 1024 ** 3)
})

it('reports all invalid retention settings', () => {
  expect(problemsWith({ RETENTION_DAYS: '91' })).toEqual([expect.stringMatching(/^DEDUPE_DAYS has to be/)])
  expect(problemsWith({ RETENTION_DAYS: '90', BODY_RETENTION_DAYS: '0' })).toEqual([])
  expect(
    problemsWith({
      RETENTION_DAYS: '0',
      BODY_RETENTION_DAYS: 'x',
      MAX_EVENT_AGE_DAYS: '-1',
      DEDUPE_DAYS: '0',
    }),
  ).toHaveLength(4)
})
