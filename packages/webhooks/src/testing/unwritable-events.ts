import type { InternalEvent } from '../event.ts'
import type { PublishResult } from '../ports.ts'
import { eventOf } from './inbox-context.ts'
import type { TestRunner } from './runner.ts'

type Take = (events: readonly InternalEvent[]) => Promise<readonly PublishResult[]>

export const nameOfUnwritable = (keepsObjects = false) =>
  keepsObjects
    ? 'takes what cannot be written as JSON like the rest'
    : 'fails what cannot be written as JSON alone and finally'

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
  const circle: Record<string, unknown> = {}
  circle['of'] = circle
  const event = (id: string, data?: unknown) => eventOf(id, Date.UTC(2026, 0), data ? { data } : {})
  // An id is not known for an event that failed.
  const batch = [event('a'), event('b', { n: 1n }), event('c', circle), event('b'), event('d')]
  const ends = (results: readonly PublishResult[]) =>
    results.map((result) => (result.ok ? 'taken' : result.retryable ? 'retried' : 'failed'))
  const odd = keepsObjects ? 'taken' : 'failed'
  expect(ends(await take(batch))).toEqual(['taken', odd, odd, 'taken', 'taken'])
  expect(ends(await take([event('c', circle)]))).toEqual([odd])
  return keepsObjects ? ['a', 'b', 'c', 'd'] : ['a', 'b', 'd']
}
