import type { Observation } from '@sallyport/webhooks'
import { expect, it } from 'vitest'
import { createLog } from './log.ts'
import { logDelivery } from './log-delivery.ts'

function lineOf(observed: Pick<Observation, 'outcome' | 'status' | 'error'>): Record<string, unknown> {
  let line = ''
  const log = createLog('info', { write: (text: string) => (line += text) })
  logDelivery(log, { provider: 'doorbell', durationMs: 1, ...observed })
  return JSON.parse(line) as Record<string, unknown>
}

const error = new Error('TypeError')

it('writes a warning, and where it happened, for what a stranger or a bug has a scheme throw', () => {
  // Anybody could once fill the log with errors, and later the bug of a scheme that refuses all was in no warning.
  const line = lineOf({ outcome: 'refused', status: 401, error })
  expect(line).toMatchObject({ level: 40, msg: 'Delivery', status: 401, err: { stack: error.stack } })
})

it.each([
  ['refused', 503],
  ['quarantined', 200],
] as const)('writes an error, and where it happened, for what is %s with %d', (outcome, status) => {
  expect(lineOf({ outcome, status, error })).toMatchObject({ level: 50, err: { stack: error.stack } })
})

it('writes a line for what went well', () => {
  expect(lineOf({ outcome: 'accepted', status: 200 })).toMatchObject({ level: 30, outcome: 'accepted' })
})
