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

it('logs a warning with a stack for a scheme that throws', () => {
  // A forged signature may cause the error, so it is a warning; the stack shows a bug of the scheme.
  const line = lineOf({ outcome: 'refused', status: 401, error })
  expect(line).toMatchObject({ level: 40, msg: 'Delivery', status: 401, err: { stack: error.stack } })
})

it.each([
  ['refused', 503],
  ['quarantined', 200],
] as const)('logs an error with a stack for a delivery that is %s with %d', (outcome, status) => {
  expect(lineOf({ outcome, status, error })).toMatchObject({ level: 50, err: { stack: error.stack } })
})

it('logs an accepted delivery at info', () => {
  expect(lineOf({ outcome: 'accepted', status: 200 })).toMatchObject({ level: 30, outcome: 'accepted' })
})
