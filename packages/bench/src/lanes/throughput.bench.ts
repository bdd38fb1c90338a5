import type { CompleteInbox, DeliveryRecord } from '@sallyport/webhooks'
import { computeRate, createEvents, createRecord, forEachConcurrently } from '../engines/events.ts'
import type { Benchmark } from '../frame/benchmark.ts'
import { defineTrial, fullTurnMs } from '../frame/trial.ts'
import { createRunLoad } from '../webhooks/delivery.ts'
import { engines, type Engine, type Opened } from './engines.ts'

const body = Buffer.from(`${createRunLoad().body ?? ''}1}}`)
const lanes = 1000
const countFor = (turnMs: number) => Math.round(10_000 * Math.min(1, turnMs / fullTurnMs))
const done = { status: 'done' } as const

async function handleAll(inbox: CompleteInbox, count: number): Promise<void> {
  for (let handled = 0; handled < count;) {
    const works = await inbox.claim('publish', { limit: 500, leaseMs: 60_000 })
    await inbox.settle(
      'publish',
      works.map(({ event, lease }) => ({ id: event.id, lease, outcome: done })),
    )
    handled += works.length
  }
}

async function handleLanes({ claimLanes, settleLanes }: CompleteInbox, count: number): Promise<void> {
  if (claimLanes === undefined || settleLanes === undefined) throw new Error('The inbox has no lanes')
  for (let handled = 0; handled < count;) {
    const claimed = await claimLanes({ limit: 500, events: 10, leaseMs: 60_000 })
    const settlements = claimed.map(({ name, lease, works }) => ({
      ...{ name, lease, releases: true },
      settlements: works.map(({ event }) => ({ id: event.id, lease, outcome: done })),
    }))
    await settleLanes(settlements)
    for (const { works } of claimed) handled += works.length
  }
}

async function measure(
  inbox: CompleteInbox,
  records: readonly DeliveryRecord[],
  handle: (inbox: CompleteInbox, count: number) => Promise<void>,
) {
  const startedAt = performance.now()
  await Promise.all([
    forEachConcurrently(records, 500, (record) => inbox.record(record)),
    handle(inbox, records.length),
  ])
  return { value: computeRate(startedAt, records.length) }
}

const createTrial = (engine: Engine): Benchmark =>
  defineTrial<Opened>({
    name: `throughput-${engine.id}`,
    what: `10,000 deliveries of 21 KB into ${engine.name}, 500 at once, while their events are claimed and settled. A tenth or less with --quick.`,
    unit: 'events/s',
    base: 'without lanes',
    target: { side: '1,000 lanes', atLeast: 0.8 },
    prepare: engine.open,
    release: ({ close }) => close(),
    sides: [
      {
        name: 'without lanes',
        does: 'Claims of up to 500 events.',
        turn: ({ inbox }, turnMs) => {
          const records = createEvents(countFor(turnMs)).map((event) => createRecord(event, body))
          return measure(inbox, records, handleAll)
        },
      },
      {
        name: '1,000 lanes',
        does: 'Each event is in one of 1,000 ordered lanes. Claims of up to 500 lanes with up to 10 events each.',
        turn: ({ inbox }, turnMs) => {
          const records = createEvents(countFor(turnMs)).map((event, index) => {
            const { events, ...delivery } = createRecord(event, body)
            const lane = { name: `lane-${index % lanes}`, isOrdered: true }
            return { ...delivery, events: events.map((one) => ({ ...one, lane })) }
          })
          return measure(inbox, records, handleLanes)
        },
      },
    ],
  })

export default engines.map(createTrial)
