import { createEvent, listEventIds } from '@sallyport/testing'
import { expect, it } from 'vitest'
import { createDrainer, memoryBus, memoryQueue, type Publisher, type Queue } from '../index.ts'

const { signal } = new AbortController()
const mebibyte = 1024 * 1024

/** A queue with six events of six mebibytes, and what it was asked for. */
async function largeEvents() {
  const inner = memoryQueue()
  const asked: (number | undefined)[] = []
  for (const id of ['a', 'b', 'c', 'd', 'e', 'f'])
    await inner.enqueue([createEvent(id, 0, { data: { text: 'x'.repeat(6 * mebibyte) } })], signal)
  const queue: Queue = {
    ...inner,
    receive(how) {
      asked.push(how.maxBytes)
      return inner.receive(how)
    },
  }
  return { queue, asked }
}

/** A bus that answers on request and reports the number of its events. */
function heldBus(count: number) {
  const bus = memoryBus()
  const gate = Promise.withResolvers<undefined>()
  const full = Promise.withResolvers<undefined>()
  const held: string[] = []
  const publisher: Publisher = {
    async publish(events, stop) {
      held.push(...listEventIds(events.map((event) => ({ event }))))
      if (held.length >= count) full.resolve(undefined)
      await gate.promise
      return bus.publish(events, stop)
    },
  }
  return { bus, publisher, held, full: full.promise, open: gate.resolve }
}

it('receives a limited number of bytes, and the rest after the publication', async () => {
  const { queue, asked } = await largeEvents()
  const { bus, publisher, held, full, open } = heldBus(3)
  const allDone = Promise.withResolvers<undefined>()
  let done = 0
  const drainer = createDrainer({
    ...{ queue, publisher, batchSize: 1 },
    onAttempt: () => {
      if (++done === 6) allDone.resolve(undefined)
    },
  })
  drainer.start()
  await full
  expect(held).toEqual(['a', 'b', 'c'])
  const [first, second, ...others] = asked
  expect([first, others]).toEqual([16 * mebibyte, []])
  expect(Math.round((second ?? 0) / mebibyte)).toBe(4)
  open(undefined)
  await allDone.promise
  expect(bus.events).toHaveLength(6)
  await drainer.stop()
})

it('works with a queue that ignores maxBytes', async () => {
  const { queue } = await largeEvents()
  const { publisher, full, open } = heldBus(6)
  const drainer = createDrainer({
    queue: { ...queue, receive: ({ limit, waitMs = 0 }) => queue.receive({ limit, waitMs, signal }) },
    ...{ publisher, pollMs: 10 },
  })
  drainer.start()
  await full
  open(undefined)
  await drainer.stop()
})
