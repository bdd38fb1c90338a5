import { createDelivery } from '@sallyport/test-support/records'
import { createEvent } from '@sallyport/webhooks/testing'
import { describe, expect, it } from 'vitest'
import { useOwnClock } from '../../test/own-clock.ts'
import { createRunner, HandlerError, createMemoryInbox, type WebhookEvent } from '../index.ts'
import type { RunnerOptions } from './runner-options.ts'

const pass = useOwnClock()
const start = 1_000_000
const outage = { from: start + 5000, to: start + 125_000 }
const name = 'doorbell/bell.rung'
const perSecond = 20

interface Run {
  readonly id: string
  readonly at: number
}

/** A handler that remembers its runs. */
function createHandler(mayFail: (event: WebhookEvent) => void) {
  const runs: Run[] = []
  const handled: Run[] = []
  const handler = async (event: WebhookEvent) => {
    const run = { id: event.id, at: Date.now() }
    runs.push(run)
    await new Promise((resolve) => setTimeout(resolve, 5))
    mayFail(event)
    handled.push(run)
  }
  return { runs, handled, handler }
}

/** Throws during the outage. */
function requireDatabase(): void {
  if (Date.now() >= outage.from && Date.now() < outage.to) throw new Error('away')
}

const getNumber = (id: string) => Number(id.split(':')[1])
const toLane = (number: number) => ({ lane: { name: `customer ${number % 100}`, isOrdered: true } })

/** Records events for `recordMs`, handles them, and stops `afterMs` later. */
async function handleAll(
  on: RunnerOptions['on'],
  {
    toName = () => name,
    inLanes = true,
    recordMs = 240_000,
    afterMs = 60_000,
  }: {
    readonly toName?: (number: number) => string
    readonly inLanes?: boolean
    readonly recordMs?: number
    readonly afterMs?: number
  } = {},
): Promise<void> {
  const inbox = createMemoryInbox()
  const runner = createRunner({ inbox, on, random: () => 0.99 })
  runner.start()
  for (let number = 0; number < (perSecond * recordMs) / 1000; number++) {
    const now = Date.now()
    const event = createEvent(`doorbell:${number}`, now, { name: toName(number) })
    const record = createDelivery(now, { event, ...(inLanes && toLane(number)) })
    const reservation = runner.reserve(record)
    reservation?.fill(await inbox.record(record, { leaseMs: reservation.leaseMs }))
    await pass(1000 / perSecond)
  }
  await pass(afterMs)
  await runner.stop()
}

/** Returns the longest time in milliseconds that an event waited while the database was available. */
const longestWait = (handled: readonly Run[]): number =>
  Math.max(
    ...handled.map(({ id, at }) => {
      const recordedAt = start + (getNumber(id) * 1000) / perSecond
      return at - (recordedAt < outage.from ? recordedAt : Math.max(recordedAt, outage.to))
    }),
  )

describe('an outage of the database of a handler', () => {
  it.each([
    ['in lanes', true],
    ['without lanes', false],
  ])('ends soon for all of its events, and does not delay another handler: %s', async (_, inLanes) => {
    const away = createHandler(requireDatabase)
    const healthy = createHandler(() => undefined)
    const on = { [name]: away.handler, 'doorbell/bell.cleaned': healthy.handler }
    // In lanes, the events behind a failed one wait for it.
    const toName = (number: number) => (number % 2 === 0 ? name : 'doorbell/bell.cleaned')
    await handleAll(on, { toName, inLanes })
    expect([away.handled.length, healthy.handled.length]).toEqual([2400, 2400])
    expect(longestWait(away.handled)).toBeLessThan(5000)
    expect(longestWait(healthy.handled)).toBeLessThan(100)
  })

  it('keeps the order of each lane', async () => {
    const { handler, handled } = createHandler(requireDatabase)
    await handleAll({ [name]: handler })
    for (let lane = 0; lane < 100; lane++) {
      const numbers = handled.map(({ id }) => getNumber(id)).filter((number) => number % 100 === lane)
      expect(numbers).toHaveLength(48)
      expect(numbers).toEqual(numbers.toSorted((a, b) => a - b))
    }
  })

  it('ends by a probe when no further event is recorded', async () => {
    const { handler, handled } = createHandler(requireDatabase)
    await handleAll(
      { [name]: { handler, backoff: { baseMs: 3_600_000 } } },
      { recordMs: 8000, afterMs: 140_000 },
    )
    expect(handled).toHaveLength(160)
    expect(longestWait(handled)).toBeLessThan(15_000)
  })

  it('does not use up the attempts that a handler has', async () => {
    const { handler, runs, handled } = createHandler(requireDatabase)
    const on = { [name]: { handler, maxAttempts: 10, backoff: { baseMs: 60_000 } } }
    await handleAll(on, { inLanes: false, recordMs: 8000, afterMs: 240_000 })
    expect(handled).toHaveLength(160)
    // Attempts at 6 to 8 seconds and a minute later fail, and those after two more minutes succeed.
    expect(runs).toHaveLength(100 + 3 * 60)
  })
})

describe('events that always fail', () => {
  const isPoisoned = (number: number) => number % 100 < 25
  const countRuns = (runs: readonly Run[]) => {
    const counts = Map.groupBy(runs, ({ id }) => id)
    return Math.max(...[...counts].filter(([id]) => isPoisoned(getNumber(id))).map(([, all]) => all.length))
  }

  it('are not tried more often after each success of others', async () => {
    const { handler, runs, handled } = createHandler(({ id }) => {
      if (isPoisoned(getNumber(id))) throw new Error('poison')
    })
    await handleAll({ [name]: handler }, { recordMs: 300_000, afterMs: 300_000 })
    expect(handled).toHaveLength(4500)
    // By the back-off alone, 10 attempts in ten minutes.
    expect(countRuns(runs)).toBeLessThan(20)
  })

  it('wait as long as their error asks for', async () => {
    const { handler, runs } = createHandler(({ id }) => {
      if (isPoisoned(getNumber(id))) throw new HandlerError('Not yet', { retryAfterMs: 1_200_000 })
      requireDatabase()
    })
    await handleAll({ [name]: handler }, { afterMs: 300_000 })
    expect(countRuns(runs)).toBe(1)
  })
})
