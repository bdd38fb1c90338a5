import { expect, it } from 'vitest'
import { logOutage } from './log-outage.ts'

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
