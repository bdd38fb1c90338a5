import type { Observation } from '@sallyport/webhooks'
import { createEvent } from '@sallyport/webhooks/testing'
import { expect, it } from 'vitest'
import { createAttemptLog, createLog, logDelivery, logOutage } from './log.ts'

function getLine(observed: Pick<Observation, 'outcome' | 'status' | 'error'>): Record<string, unknown> {
  let line = ''
  const log = createLog('info', { write: (text: string) => (line += text) })
  logDelivery(log, { provider: 'doorbell', durationMs: 1, ...observed })
  return JSON.parse(line) as Record<string, unknown>
}

const error = new Error('TypeError')

it('logs a warning with a stack for a scheme that throws', () => {
  // A forged signature may cause the error, so it is a warning; the stack shows a bug of the scheme.
  const line = getLine({ outcome: 'refused', status: 401, error })
  expect(line).toMatchObject({ level: 40, msg: 'Delivery', status: 401, err: { stack: error.stack } })
})

it.each([
  ['refused', 503],
  ['quarantined', 200],
] as const)('logs an error with a stack for a delivery that is %s with %d', (outcome, status) => {
  expect(getLine({ outcome, status, error })).toMatchObject({ level: 50, err: { stack: error.stack } })
})

it('logs an accepted delivery at info', () => {
  expect(getLine({ outcome: 'accepted', status: 200 })).toMatchObject({ level: 30, outcome: 'accepted' })
})

it('logs the attempts of a destination without its response', () => {
  let line = ''
  const attempts = createAttemptLog(createLog('info', { write: (text: string) => (line += text) }))
  const response = { status: 400, durationMs: 1, body: 'the name of a customer' }
  const outcome = { status: 'dead', error: 'The destination answered 400', response } as const
  const event = createEvent('doorbell:1', 0)
  attempts.add('Attempt', { work: 'publish', event, destination: 'crm', attempts: 1, outcome })
  expect(JSON.parse(line)).toMatchObject({ destination: 'crm', error: 'The destination answered 400' })
  expect(line).not.toContain('customer')
})

it('logs a repeated error once a minute, and a different error at once', () => {
  const clock = { ms: 0 }
  const lines: string[] = []
  const write = (level: string) => (_: object, text: string) => lines.push(`${level} ${text}`)
  const log = { debug: write('debug'), error: write('error') } as unknown as Parameters<typeof logOutage>[0]
  const report = logOutage(log, 'The queue is unavailable', () => clock.ms)
  const countErrors = () => lines.splice(0).filter((line) => line === 'error The queue is unavailable').length

  const elapse = (seconds: number, error: Error) => {
    for (let second = 0; second < seconds; second += 1) {
      report(error)
      clock.ms += 1000
    }
  }
  elapse(60, new Error('unavailable'))
  expect(lines).toContain('debug The queue is unavailable')
  expect(countErrors()).toBe(1)
  elapse(60, new Error('unavailable'))
  expect(countErrors()).toBe(1)
  elapse(1, new Error('refused'))
  expect(countErrors()).toBe(1)
  clock.ms += 60_000
  elapse(5, new Error('refused'))
  expect(countErrors()).toBe(1)
})
