import { createEvent } from '@sallyport/testing'
import { queryObjects } from 'node:v8'
import { expect, it } from 'vitest'
import { never } from '../../test/doorbell.ts'
import { useOwnClock } from '../../test/own-clock.ts'
import { createDrainer, memoryQueue, type Queue, type ReceivedEvent } from '../index.ts'

const pass = useOwnClock()

/** The data of an event, with a class of which instances can be counted. */
class Payload {
  readonly door = 'front'
}

/** A queue that returns events with these ids without storing them. */
function forgetfulQueue(leaseMs: number, ids: string[]): Queue {
  const empty = memoryQueue({ leaseMs })
  const received = (id: string): ReceivedEvent => ({
    event: createEvent(id, 0, { data: new Payload() }),
    attempts: 0,
    since: Date.now(),
    ack: () => Promise.resolve(true),
    retry: () => Promise.resolve(true),
  })
  return {
    ...empty,
    receive: (how) =>
      ids.length > 0 ? Promise.resolve(ids.splice(0, how.limit).map(received)) : empty.receive(how),
  }
}

it('forgets an event without an attempt when its lease ends', async () => {
  const left = ['first', 'second']
  const published: string[] = []
  const drainer = createDrainer({
    queue: forgetfulQueue(8000, left),
    publisher: {
      publish(events) {
        published.push(...events.map(({ id }) => id))
        return never()
      },
    },
    ...{ timeoutMs: 5000, batchSize: 1, concurrency: 1 },
  })
  drainer.start()
  // When the time of the first is up, too little is left of the lease of the second to begin with it.
  await pass(12_000)
  expect([left, published]).toEqual([[], ['first']])
  // The count of what is reachable collects everything else first.
  expect(queryObjects(Payload, { format: 'count' })).toBe(0)
  await drainer.stop()
})
