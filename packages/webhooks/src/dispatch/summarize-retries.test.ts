import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createEvent } from '../testing/index.ts'
import type { Attempt } from './attempt.ts'
import { summarizeRetries, type RetrySummary } from './summarize-retries.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const attempt = (outcome: Attempt['outcome']): Attempt => ({
  ...{ work: 'publish', event: createEvent('doorbell:1', 0), attempts: 1 },
  outcome,
})
const retry = (error: string, targets?: readonly string[]) =>
  attempt({ status: 'retry', afterMs: 1000, error, ...(targets && { targets }) })

function open() {
  const summaries: RetrySummary[] = []
  const retries = summarizeRetries({ onSummary: (summary) => summaries.push(summary) })
  const add = (one: Attempt, times: number) =>
    Array.from({ length: times }, () => retries.isReported(one)).filter(Boolean).length
  return { summaries, retries, add }
}

it('reports the first attempt of an outage, and counts the others for each minute', () => {
  const { summaries, add } = open()
  const refused = retry('The bus answered 503', ['bus_audit'])
  expect(add(refused, 3400)).toBe(1)
  expect(add(retry('TimeoutError', ['bus']), 2)).toBe(1)
  vi.advanceTimersByTime(60_000)
  const identity = { work: 'publish', status: 'retry' }
  expect(summaries.splice(0)).toEqual([
    { ...identity, targets: ['bus_audit'], error: 'The bus answered 503', attempts: 3399 },
    { ...identity, targets: ['bus'], error: 'TimeoutError', attempts: 1 },
  ])
  expect(add(refused, 5)).toBe(0)
  vi.advanceTimersByTime(60_000)
  expect(summaries.splice(0)).toMatchObject([{ targets: ['bus_audit'], attempts: 5 }])
})

it('reports the first attempt after a minute without one', () => {
  const { summaries, add } = open()
  add(retry('TimeoutError'), 1)
  vi.advanceTimersByTime(60_000)
  expect(add(retry('TimeoutError'), 1)).toBe(1)
  expect(summaries).toEqual([])
})

it('reports every attempt that is not retried', () => {
  const { add } = open()
  expect(add(attempt({ status: 'done' }), 2)).toBe(2)
  expect(add(attempt({ status: 'dead', error: 'Refused' }), 2)).toBe(2)
  expect(add(attempt({ status: 'lost' }), 2)).toBe(1)
})

it('limits the number of groups', () => {
  const { add, retries, summaries } = open()
  const reported = Array.from({ length: 300 }, (_, index) => add(retry(`Error ${index}`), 1))
  expect(reported.reduce((sum, one) => sum + one, 0)).toBe(101)
  retries.flush()
  expect(summaries).toMatchObject([{ error: undefined, attempts: 199 }])
  vi.advanceTimersByTime(600_000)
  expect(summaries).toHaveLength(1)
})
