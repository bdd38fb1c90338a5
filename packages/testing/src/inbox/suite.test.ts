import {
  type DeliveryDetail,
  type DeliveryRecord,
  type Inbox,
  memoryInbox,
  type Settlement,
} from '@sallyport/webhooks'
import { describe, expect, it } from 'vitest'
import { testInbox } from './suite.ts'

const ofBodies = ['come back as they went in, and stay their owner’s', 'may be as large as a delivery can be']

/** The names of the suite's tests of bodies, of retries and of the queue that an inbox fails. */
async function failuresOf(broken: (inbox: Inbox) => Partial<Inbox>): Promise<readonly string[]> {
  const tests: [name: string, body: () => void | Promise<void>][] = []
  const parts = ['bodies and headers', 'settle', 'notifications', 'events in the shared queue']
  let isPart = false
  const runner = {
    describe: (name: string, define: () => void) => {
      isPart = parts.includes(name)
      define()
    },
    it: (name: string, body: () => void | Promise<void>) => {
      if (isPart) tests.push([name, body])
    },
    expect,
  }
  testInbox(runner, {
    create: (now) => {
      const inbox = memoryInbox({ now })
      const changes = broken(inbox)
      return new Proxy(inbox, {
        get: (_, name) => {
          const member: unknown = Reflect.get(Object.hasOwn(changes, name) ? changes : inbox, name)
          return typeof member === 'function' ? (member.bind(inbox) as unknown) : member
        },
      })
    },
  })
  const failed: string[] = []
  for (const [name, body] of tests) {
    try {
      await body()
    } catch {
      failed.push(name)
    }
  }
  return failed
}

/** An inbox that keeps another body than it is given, and says that it has all of it. */
const keeping = (change: (body: Uint8Array) => Uint8Array) => (inbox: Inbox) => {
  const sizes = new Map<string, number>()
  return {
    record: (delivery: DeliveryRecord, ...options: [{ leaseMs?: number }?]) => {
      sizes.set(delivery.id, delivery.body.byteLength)
      return inbox.record({ ...delivery, body: change(delivery.body) }, ...options)
    },
    get: async (id: string): Promise<DeliveryDetail | undefined> => {
      const detail = await inbox.get(id)
      return detail && { ...detail, bodyBytes: sizes.get(id) ?? 0 }
    },
  }
}

/** An inbox that waits a minute at most. */
const hasty = (inbox: Inbox): Partial<Inbox> => ({
  settle: (work, settlements) => inbox.settle(work, settlements.map(sooner)),
})

function sooner({ outcome, ...settlement }: Settlement): Settlement {
  if (outcome.status === 'retry') {
    return { ...settlement, outcome: { ...outcome, afterMs: Math.min(outcome.afterMs, 60_000) } }
  }
  if (outcome.status !== 'queued') return { ...settlement, outcome }
  const redeliverAfterMs = Math.min(outcome.redeliverAfterMs, 60_000)
  return { ...settlement, outcome: { ...outcome, redeliverAfterMs } }
}

describe('the suite of inboxes notices', () => {
  it('nothing wrong with an inbox that is right', async () => {
    expect(await failuresOf(() => ({}))).toEqual([])
  })

  // It once read back no byte beyond ASCII, no part of a larger buffer, and nothing of more than a kilobyte.
  it.each<[string, (body: Uint8Array) => Uint8Array, readonly string[]]>([
    ['as text', (body) => new TextEncoder().encode(new TextDecoder().decode(body)), ofBodies],
    ['without the highest bit of each byte', (body) => body.map((byte) => byte & 127), ofBodies],
    ['up to 64 KiB', (body) => body.slice(0, 65_536), ofBodies],
    ['with what lay beside it in memory', (body) => new Uint8Array(body.buffer), ofBodies.slice(0, 1)],
    [
      'from the start of its memory',
      (body) => new Uint8Array(body.buffer, 0, body.length),
      ofBodies.slice(0, 1),
    ],
  ])('a body that is kept %s', async (_, change, failed) => {
    expect(await failuresOf(keeping(change))).toEqual(failed)
  })

  it('a body whose place in memory is used again', async () => {
    const place = new Uint8Array(25 * 1024 * 1024)
    const reusing = (inbox: Inbox): Partial<Inbox> => {
      const lengths = new Map<string, number>()
      return {
        record: (delivery, options) => {
          place.set(delivery.body)
          lengths.set(delivery.id, delivery.body.byteLength)
          return inbox.record(delivery, options)
        },
        get: async (id) => {
          const detail = await inbox.get(id)
          return detail && { ...detail, body: place.subarray(0, lengths.get(id)) }
        },
      }
    }
    expect(await failuresOf(reusing)).toContain(ofBodies[0])
  })

  it('headers that are lost', async () => {
    const bare = (inbox: Inbox): Partial<Inbox> => ({
      record: (delivery, options) => inbox.record({ ...delivery, headers: {} }, options),
    })
    expect(await failuresOf(bare)).toEqual(ofBodies)
  })

  it('a wait that is cut to a minute', async () => {
    expect(await failuresOf(hasty)).toEqual([
      'makes a retry due after its delay, not before',
      'are retried, released and fenced like events',
      'are queued until they were forwarded, and published then',
      'are due again when the queue has lost them, as if for the first time',
    ])
  })
})
