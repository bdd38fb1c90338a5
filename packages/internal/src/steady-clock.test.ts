import { expect, it } from 'vitest'
import { createSteadyClock } from './steady-clock.ts'

const hour = 3_600_000

it('counts from the first reading', () => {
  let ticks = 5
  const steadyForMs = createSteadyClock(() => ticks)
  expect(steadyForMs(1_000_000)).toBe(0)
  ticks += hour
  expect(steadyForMs(1_000_000 + hour)).toBe(hour)
})

it.each([hour, -hour])('counts again from a jump by %i ms', (jump) => {
  let ticks = 0
  const steadyForMs = createSteadyClock(() => ticks)
  steadyForMs(0)
  ticks += hour
  expect(steadyForMs(hour + jump)).toBe(0)
  ticks += 1000
  expect(steadyForMs(hour + jump + 1000)).toBe(1000)
})

it('takes a drift for no jump', () => {
  let ticks = 0
  const steadyForMs = createSteadyClock(() => ticks)
  steadyForMs(0)
  for (let minute = 1; minute <= 100; minute++) {
    ticks += 60_000
    expect(steadyForMs(ticks + minute * 1000)).toBe(ticks)
  }
})
