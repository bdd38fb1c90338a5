import { type InternalEvent, memoryQueue, type Queue, type ReceivedEvent } from '@sallyport/webhooks'
import { describe, expect, it } from 'vitest'
import { findFailingTests } from '../../test/failing-tests.ts'
import { type QueueFixtureOptions, testQueue } from './suite.ts'

/** Faults of a queue. */
interface Wrong {
  /** Selects the events of a batch that the queue keeps. */
  readonly kept?: number
  readonly write?: (event: InternalEvent) => InternalEvent
  readonly attempts?: (attempts: number) => number
  /** Whether a retried event counts as a new event. */
  readonly forgets?: boolean
  readonly afterMs?: (afterMs: number) => number
}

function getQueue(wrong: Wrong, options: QueueFixtureOptions): Queue {
  const {
    kept = Infinity,
    write = (event: InternalEvent) => event,
    attempts = Number,
    forgets,
    afterMs = Number,
  } = wrong
  const queue = memoryQueue(options)
  const restarted = new Map<string, number>()
  const broken = (received: ReceivedEvent): ReceivedEvent => ({
    ...received,
    attempts: attempts(received.attempts),
    since: restarted.get(received.event.id) ?? received.since,
    retry: (milliseconds) => {
      if (forgets) restarted.set(received.event.id, options.now())
      return received.retry(afterMs(milliseconds))
    },
  })
  return {
    ...queue,
    async enqueue(events, signal) {
      const results = await queue.enqueue(
        events.slice(0, kept).map((event) => write(event)),
        signal,
      )
      return events.map((_, index) => results[index] ?? { ok: true, duplicate: false })
    },
    receive: async (asked) => (await queue.receive(asked)).map(broken),
  }
}

describe('testQueue detects', () => {
  const counts = 'counts attempts and keeps the time of arrival'
  const odd = 'preserves unusual texts, data, traces and the manual flag'
  const many = 'returns every event of a large batch'

  it('no failure of a correct queue', async () => {
    expect(await getFailures({})).toEqual([])
  })

  it.each<[string, Wrong, string[]]>([
    ['a retry that resets the time of arrival', { forgets: true }, [counts]],
    ['attempts that stop at one', { attempts: (attempts) => Math.min(1, attempts) }, [counts]],
    [
      'a retry before its delay',
      { afterMs: (milliseconds) => (Number.isFinite(milliseconds) ? Math.min(5000, milliseconds) : NaN) },
      ['does not return a retried event before a long delay ends'],
    ],
    ['a lost part of a large batch', { kept: 60 }, [many]],
    ['a lost trace', { write: (event) => ({ ...event, trace: undefined as never }) }, [odd]],
    [
      'a lost manual flag',
      { write: ({ source, ...event }) => ({ ...event, source: { ...source, manual: undefined as never } }) },
      [odd],
    ],
  ])('%s', async (_, wrong, failures) => {
    expect(await getFailures(wrong)).toEqual(failures)
  })

  const getFailures = (wrong: Wrong) =>
    findFailingTests((runner) => {
      testQueue(runner, { create: (options) => getQueue(wrong, options), keepsObjects: true })
    })
})
