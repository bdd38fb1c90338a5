import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { findFailingTests, collectTests } from '../../test/failing-tests.ts'
import type { WebhookEvent } from '../ports/event.ts'
import { createMemoryBus } from '../memory/bus.ts'
import type { Publisher, PublishResult } from '../ports/ports.ts'
import { testPublisher, type PublisherFixture } from './publisher-suite.ts'

/** Faults of a bus. */
interface Wrong {
  /** Changes the published batch. */
  readonly batch?: (events: readonly WebhookEvent[]) => readonly WebhookEvent[]
  /** Changes the results. */
  readonly answer?: (results: readonly PublishResult[], count: number) => readonly PublishResult[]
  readonly error?: (event: WebhookEvent) => unknown
  /** Changes each published event. */
  readonly write?: (event: WebhookEvent) => WebhookEvent
  readonly heedless?: boolean
}

/** Creates a JSON bus that can hang. */
function jsonBus({ batch, answer, error, write, heedless }: Wrong): PublisherFixture {
  const state = { bus: createMemoryBus(), silent: false }
  const publisher: Publisher = {
    async publish(events, signal) {
      signal.throwIfAborted()
      if (state.silent) await silence(heedless ? new AbortController().signal : signal)
      const results: PublishResult[] = []
      for (const event of batch?.(events) ?? events) results.push(await publishOne(event))
      return answer?.(results, events.length) ?? results
    },
  }
  async function publishOne(event: WebhookEvent): Promise<PublishResult> {
    try {
      const written = getCopy(write?.(event) ?? event)
      const [result] = await state.bus.publish([written], new AbortController().signal)
      return result ?? { ok: false, retryable: true, error: 'No answer' }
    } catch {
      const said = error === undefined ? 'It cannot be written' : error(event)
      return { ok: false, retryable: false, error: said as string }
    }
  }
  const create = () => {
    Object.assign(state, { bus: createMemoryBus(), silent: false })
    return publisher
  }
  const hang = () => {
    state.silent = true
  }
  return { create, hang, events: () => state.bus.events }
}

const silence = (signal: AbortSignal) =>
  new Promise((_, reject) => {
    signal.addEventListener('abort', () => {
      reject(new Error('aborted'))
    })
  })

const findFailures = (wrong: Wrong, changes: Partial<PublisherFixture> = {}) =>
  findFailingTests((runner) => {
    testPublisher(runner, { ...jsonBus(wrong), ...changes })
  })

const many = 'publishes every event of a large batch'
const whole = 'publishes events unchanged and does not modify them'
const unwritable = 'permanently fails only the events that cannot be serialized as JSON'
const ok: PublishResult = { ok: true, duplicate: false }

const getCopy = (event: WebhookEvent) => JSON.parse(JSON.stringify(event)) as WebhookEvent
const replaced: Wrong = { write: (event) => ({ ...event, id: event.id.toWellFormed() }) }
const short: Wrong = {
  batch: (events) => events.slice(0, 10),
  answer: (results, count) => Array.from({ length: count }, (_, index) => results[index] ?? ok),
}

testPublisher({ describe, expect, it }, jsonBus({}))

describe('testPublisher detects', () => {
  it.each<[string, Wrong, string[]]>([
    ['a batch published only up to ten events', short, [many, whole]],
    ['results for only ten events of a batch', { answer: (results) => results.slice(0, 10) }, [many, whole]],
    ['a changed name', { write: (event) => ({ ...event, name: 'x' }) }, [whole]],
    ['lost data', { write: (event) => ({ ...getCopy(event), data: null }) }, [whole]],
    ['a lost subject', { write: (event) => ({ ...event, subject: '' }) }, [whole]],
    [
      'a lost manual flag',
      { write: ({ source, ...event }) => ({ ...event, source: { ...source, manual: undefined as never } }) },
      [whole],
    ],
    ['a lost trace', { write: (event) => ({ ...event, trace: undefined as never }) }, [whole]],
    [
      'a publisher that modifies its events',
      {
        write: (event) => {
          const written = getCopy(event)
          delete (event as { data?: unknown }).data
          return written
        },
      },
      [many, whole],
    ],
    ['replaced lone surrogates', replaced, [whole]],
    ['an error with the subject', { error: ({ subject }) => `Rejected: ${subject}` }, [unwritable]],
    [
      'an error with data',
      { error: ({ data }) => `Rejected: ${Object.keys(data as object).join()}` },
      [unwritable],
    ],
    ['a failure without an error', { error: () => undefined }, [unwritable]],
  ])('%s', async (_, wrong, failures) => {
    expect(await findFailures(wrong)).toEqual(failures)
  })

  it('replaced lone surrogates and a truncated batch from ids alone', async () => {
    const ids = { events: undefined as never, published: undefined as never }
    expect(await findFailures(replaced, ids)).toEqual([whole])
    expect(await findFailures(short, ids)).toEqual([many])
  })

  it('a publisher that ignores the signal', async () => {
    const tests = collectTests((runner) => {
      testPublisher(runner, jsonBus({ heedless: true }))
    })
    const [, body] = tests.find(([name]) => name.startsWith('stops waiting')) ?? []
    // The runner's own limit ends it; here, that it has not ended is enough.
    const ended = Promise.resolve(body?.()).then(() => 'ended')
    expect(await Promise.race([ended, sleep(200, 'waits')])).toBe('waits')
  })
})
