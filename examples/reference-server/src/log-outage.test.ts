import { expect, it } from 'vitest'
import { logOutage } from './log-outage.ts'

it('tells of an outage once a minute, at once when it says something else, and of the next one', () => {
  const clock = { ms: 0 }
  const lines: string[] = []
  const write = (level: string) => (_: object, text: string) => lines.push(`${level} ${text}`)
  const log = { debug: write('debug'), error: write('error') } as unknown as Parameters<typeof logOutage>[0]
  const tell = logOutage(log, 'The queue cannot be asked', () => clock.ms)
  const told = () => lines.splice(0).filter((line) => line === 'error The queue cannot be asked').length

  const elapse = (seconds: number, error: Error) => {
    for (let second = 0; second < seconds; second += 1) {
      tell(error)
      clock.ms += 1000
    }
  }
  elapse(60, new Error('It is away'))
  expect(lines).toContain('debug The queue cannot be asked')
  expect(told()).toBe(1)
  elapse(60, new Error('It is away'))
  expect(told()).toBe(1)
  elapse(1, new Error('It refuses'))
  expect(told()).toBe(1)
  clock.ms += 60_000
  elapse(5, new Error('It refuses'))
  expect(told()).toBe(1)
})
