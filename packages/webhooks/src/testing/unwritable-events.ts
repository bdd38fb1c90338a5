import type { InternalEvent } from '../ports/event.ts'
import type { PublishResult } from '../ports/ports.ts'
import { eventOf } from './inbox-context.ts'
import { endOf, expectNothingTold, untold } from './publisher-failure.ts'
import type { TestRunner } from './runner.ts'

type Take = (events: readonly InternalEvent[]) => Promise<readonly PublishResult[]>

export const nameOfUnwritable = (keepsObjects = false) =>
  keepsObjects
    ? 'takes what cannot be written as JSON like the rest'
    : 'fails what cannot be written as JSON alone and finally'

const event = (id: string, data: unknown = { door: 'front' }) =>
  eventOf(id, Date.UTC(2026, 0), { subject: untold.subject, data })

/**
 * Gives it events of which some cannot be written as JSON.
 *
 * @returns the ids that it has then
 */
export async function takeUnwritable(
  expect: TestRunner['expect'],
  take: Take,
  keepsObjects = false,
): Promise<readonly string[]> {
  const circle: Record<string, unknown> = { text: untold.data }
  circle['of'] = circle
  const number = { [untold.data]: 1n, text: untold.data }
  // An id is not known for an event that failed.
  const batch = [event('a'), event('b', number), event('c', circle), event('b'), event('d')]
  const odd = keepsObjects ? 'taken' : 'failed'
  const results = await take(batch)
  expect(results.map(endOf)).toEqual(['taken', odd, odd, 'taken', 'taken'])
  const alone = await take([event('c', circle)])
  expect(alone.map(endOf)).toEqual([odd])
  expectNothingTold(expect, [...results, ...alone])
  return keepsObjects ? ['a', 'b', 'c', 'd'] : ['a', 'b', 'd']
}

/** More than is published at once by default, and than engines do in one step. */
const many = 250
const unwritableOfMany = 137

/** The same each time, and anew. */
export const manyEvents = (): InternalEvent[] =>
  Array.from({ length: many }, (_, index) =>
    event(`doorbell:${String(index).padStart(3, '0')}`, index === unwritableOfMany ? { n: 1n } : undefined),
  )

/**
 * Gives it many events, of which one cannot be written as JSON.
 *
 * @returns the ids that it has then
 */
export async function takeMany(
  expect: TestRunner['expect'],
  take: Take,
  keepsObjects = false,
): Promise<readonly string[]> {
  const events = manyEvents()
  const isTaken = (_: unknown, index: number) => keepsObjects || index !== unwritableOfMany
  const results = await take(events)
  expect(results.map(endOf)).toEqual(events.map((_, index) => (isTaken(_, index) ? 'taken' : 'failed')))
  expect(events).toEqual(manyEvents())
  return events.filter(isTaken).map(({ id }) => id)
}
