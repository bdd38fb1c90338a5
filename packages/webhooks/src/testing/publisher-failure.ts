import type { PublishResult } from '../ports/ports.ts'
import type { TestRunner } from './runner.ts'

/** What is in events that fail, and in no failure: operators read it. */
export const untold = { subject: 'whom it is about', data: 'what nobody else may read' } as const

/** What becomes of an event by what was answered for it. */
export const endOf = (result: PublishResult): 'taken' | 'retried' | 'failed' =>
  result.ok ? 'taken' : result.retryable ? 'retried' : 'failed'

/** Failures of events with the subject and the data above: each says why, and nothing of them. */
export function expectNothingTold(expect: TestRunner['expect'], results: readonly PublishResult[]): void {
  for (const result of results) {
    if (result.ok) continue
    const { error } = result as { readonly error: unknown }
    expect(typeof error === 'string' && error !== '', 'a failure that says why').toBe(true)
    for (const text of Object.values(untold))
      expect(String(error).includes(text), 'a failure that tells the event').toBe(false)
  }
}
