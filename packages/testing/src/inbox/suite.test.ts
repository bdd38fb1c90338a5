import {
  type DeliveryDetail,
  type DeliveryRecord,
  type CompleteInbox,
  createMemoryInbox,
  type Settlement,
} from '@sallyport/webhooks'
import { describe, expect, it } from 'vitest'
import { findFailingTests } from '../../test/failing-tests.ts'
import { testInbox } from './suite.ts'

const ofBodies = [
  'are preserved, and the body of the caller is not modified',
  'are preserved at the largest size',
]

const ofOthers = ['bodies and headers', 'settle', 'notifications', 'events in the shared queue']

/** Runs some groups of the suite with a broken inbox and returns the titles of the failing tests. */
const getFailures = (
  broken: (inbox: CompleteInbox) => Partial<CompleteInbox>,
  groups = ofOthers,
): Promise<readonly string[]> =>
  findFailingTests((runner) => {
    testInbox(runner, {
      create: (now) => {
        const inbox = createMemoryInbox({ now })
        const changes = broken(inbox)
        return new Proxy(inbox, {
          get: (_, name) => {
            const member: unknown = Reflect.get(Object.hasOwn(changes, name) ? changes : inbox, name)
            return typeof member === 'function' ? (member.bind(inbox) as unknown) : member
          },
        })
      },
    })
  }, groups)

/** Returns an inbox that stores a changed body and reports the size of the original. */
const keeping = (change: (body: Uint8Array) => Uint8Array) => (inbox: CompleteInbox) => {
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

/** Returns an inbox that limits delays to a minute. */
const hasty = (inbox: CompleteInbox): Partial<CompleteInbox> => ({
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

describe('testInbox detects', () => {
  it('no failure of a correct inbox', async () => {
    expect(await getFailures(() => ({}))).toEqual([])
  })

  it.each<[string, (body: Uint8Array) => Uint8Array, readonly string[]]>([
    ['as text', (body) => new TextEncoder().encode(new TextDecoder().decode(body)), ofBodies],
    ['without the highest bit of each byte', (body) => body.map((byte) => byte & 127), ofBodies],
    ['up to 64 KiB', (body) => body.slice(0, 65_536), ofBodies],
    ['with adjacent memory', (body) => new Uint8Array(body.buffer), ofBodies.slice(0, 1)],
    [
      'from the start of its buffer',
      (body) => new Uint8Array(body.buffer, 0, body.length),
      ofBodies.slice(0, 1),
    ],
  ])('a body that is kept %s', async (_, change, failed) => {
    expect(await getFailures(keeping(change))).toEqual(failed)
  })

  it('a body whose memory is reused', async () => {
    const place = new Uint8Array(25 * 1024 * 1024)
    const reusing = (inbox: CompleteInbox): Partial<CompleteInbox> => {
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
    expect(await getFailures(reusing)).toContain(ofBodies[0])
  })

  it('lost headers', async () => {
    const bare = (inbox: CompleteInbox): Partial<CompleteInbox> => ({
      record: (delivery, options) => inbox.record({ ...delivery, headers: {} }, options),
    })
    expect(await getFailures(bare)).toEqual(ofBodies)
  })

  it('lanes whose events have no order', async () => {
    const reversed = (inbox: CompleteInbox): Partial<CompleteInbox> => ({
      claimLanes: async (options) =>
        (await inbox.claimLanes?.(options))?.map((lane) => ({ ...lane, works: lane.works.toReversed() })) ??
        [],
    })
    expect(await getFailures(reversed, ['lanes', 'leases of lanes'])).toContain(
      'return their next events in order, apart from other events',
    )
  })

  it('a lane that a stranger settles', async () => {
    const leaked = new Map<string, string>()
    const unfenced = (inbox: CompleteInbox): Partial<CompleteInbox> => ({
      claimLanes: async (options) => {
        const claimed = (await inbox.claimLanes?.(options)) ?? []
        for (const { name, lease } of claimed) leaked.set(name, lease)
        return claimed
      },
      settleLanes: async (settlements) =>
        (await inbox.settleLanes?.(
          settlements.map((one) => ({ ...one, lease: leaked.get(one.name) ?? one.lease })),
        )) ?? [],
    })
    expect(await getFailures(unfenced, ['leases of lanes'])).toContain(
      'settle nothing after another process has the lane',
    )
  })

  it('a delay that is limited to a minute', async () => {
    expect(await getFailures(hasty)).toEqual([
      'makes a retry due after its delay',
      'are retried, released and fenced like events',
      'are queued until they are forwarded',
      'are due again without attempts and with their first time after the queue lost them',
    ])
  })
})
