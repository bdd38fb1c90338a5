import type { InternalEvent } from '../ports/event.ts'
import type {
  ClaimedWork,
  DeliveryDetail,
  DeliveryRecord,
  EventRecord,
  Inbox,
  MaybePromise,
  PruneOptions,
  PruneResult,
  Settlement,
  Work,
} from '../ports/ports.ts'
import type { TestRunner } from './runner.ts'

/** How a store is made for the suite. */
export interface InboxFixture {
  /** A new, empty store that tells time by `now`, in milliseconds since the epoch. */
  create(now: () => number): MaybePromise<Inbox>
  /**
   * Another inbox on the store of the given one, which was not closed, as after a crash or in another process; leave
   * it out for a store that ends with its process.
   */
  reopen?(inbox: Inbox, now: () => number): MaybePromise<Inbox>
}

/** What a test of the suite is given: an empty inbox, its clock, and the things to put into it. */
interface InboxTest {
  readonly inbox: Inbox
  readonly now: () => number
  readonly advance: (milliseconds: number) => void
  /** Closed with the test. */
  readonly reopen: () => Promise<Inbox>
  readonly expect: TestRunner['expect']
}

export interface InboxContext {
  readonly test: (name: string, body: (context: InboxTest) => Promise<void>) => void
  /** A test that only a store that outlives its process has to pass. */
  readonly durableTest: (name: string, body: (context: InboxTest) => Promise<void>) => void
  readonly describe: TestRunner['describe']
}

export function inboxContext({ describe, it, expect }: TestRunner, fixture: InboxFixture): InboxContext {
  const test: InboxContext['test'] = (name, body) => {
    it(name, async () => {
      let time = Date.UTC(2026, 0)
      const now = () => time
      const opened: Inbox[] = []
      const keep = async (opening: MaybePromise<Inbox>) => {
        const inbox = await opening
        opened.push(inbox)
        return inbox
      }
      try {
        const inbox = await keep(fixture.create(now))
        await body({
          inbox,
          now,
          advance: (milliseconds) => {
            time += milliseconds
          },
          reopen: () => keep(fixture.reopen ? fixture.reopen(inbox, now) : inbox),
          expect,
        })
      } finally {
        for (const inbox of opened.reverse()) await inbox.close()
      }
    })
  }
  return { test, describe, durableTest: fixture.reopen ? test : () => undefined }
}

let deliveries = 0

/** A delivery of events with these ids. */
export function deliveryOf(
  now: number,
  ...events: readonly (string | Partial<EventRecord>)[]
): DeliveryRecord {
  const id = `00000000-0000-7000-8000-${String(++deliveries).padStart(12, '0')}`
  const source = { provider: 'doorbell', deliveryId: id, receivedAt: now }
  return {
    id,
    provider: 'doorbell',
    receivedAt: now,
    headers: { 'content-type': 'application/json' },
    body: new TextEncoder().encode('{"door":"front"}'),
    events: events.map((one) => {
      const record = typeof one === 'string' ? { event: eventOf(one, now) } : one
      const event = { ...(record.event ?? eventOf('doorbell:bell.rung:1', now)), source }
      return { route: 'direct', notify: false, ...record, event }
    }),
  }
}

/** A delivery that no event could be made of. */
export const quarantinedOf = (now: number, key = 'doorbell:q'): DeliveryRecord => ({
  ...deliveryOf(now),
  quarantine: { key, reason: 'NORMALIZER_FAILED' },
})

/** The same delivery, come from another provider. */
export function comingFrom(provider: string, delivery: DeliveryRecord): DeliveryRecord {
  const events = delivery.events.map(({ event, ...record }): EventRecord => {
    const [, kind] = event.name.split('/')
    return {
      ...record,
      event: { ...event, name: `${provider}/${kind}`, source: { ...event.source, provider } },
    }
  })
  return { ...delivery, provider, events }
}

export function eventOf(id: string, ts: number, changes: Partial<InternalEvent> = {}): InternalEvent {
  const source = { provider: 'doorbell', deliveryId: '', receivedAt: ts }
  return { id, name: 'doorbell/bell.rung', subject: 'front', ts, data: { door: 'front' }, source, ...changes }
}

export function idsOf(work: readonly { readonly event: InternalEvent }[]): string[] {
  return work.map(({ event }) => event.id)
}

export const claimAll = (
  inbox: Inbox,
  work: Work = 'publish',
  leaseMs = 15_000,
): Promise<readonly ClaimedWork[]> => inbox.claim(work, { limit: 1000, leaseMs })

/** What an inbox says of a delivery that it has. */
export async function detailOf(inbox: Inbox, { id }: Pick<DeliveryRecord, 'id'>): Promise<DeliveryDetail> {
  const detail = await inbox.get(id)
  if (detail === undefined) throw new Error('The delivery is not there')
  return detail
}

/** Prunes until there is nothing left to prune. */
export async function pruneAll(inbox: Inbox, options: PruneOptions): Promise<Omit<PruneResult, 'more'>> {
  const total = { events: 0, deliveries: 0, bodies: 0, keys: 0 }
  for (let portions = 0; portions < 1000; portions++) {
    const { more, ...portion } = await inbox.prune(options)
    for (const kind of ['events', 'deliveries', 'bodies', 'keys'] as const) total[kind] += portion[kind]
    if (!more) return total
  }
  throw new Error('There is always more to prune')
}

/** Claims everything that is due and ends it in one way. */
export async function settleAll(
  inbox: Inbox,
  outcome: Settlement['outcome'] = { status: 'done' },
  work: Work = 'publish',
): Promise<readonly boolean[]> {
  const claimed = await claimAll(inbox, work)
  return inbox.settle(
    work,
    claimed.map(({ event, lease }) => ({ id: event.id, lease, outcome })),
  )
}
