import type { WebhookEvent } from '@sallyport/webhooks'
import { testPublisher } from '@sallyport/webhooks/testing'
import Database from 'better-sqlite3'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { testBusUpkeep } from '../../test/bus-upkeep.ts'
import { newPath, removeFiles } from '../../test/files.ts'
import { getDelivery } from '../../test/records.ts'
import { openSqlite, type BusEvent, type EmbeddedBus, type SqliteDatabase } from './index.ts'

const opened: SqliteDatabase[] = []
afterEach(async () => {
  for (const database of opened.splice(0)) await database.close()
})
afterAll(removeFiles)

async function open(path?: string): Promise<EmbeddedBus> {
  const database = await openSqlite({ path: path ?? (await newPath()) })
  opened.push(database)
  return database.bus()
}

const { signal } = new AbortController()
const getEvent = (id: string) => getDelivery(id).events[0]!.event

const paths = new WeakMap<object, string>()
let locking: Database.Database | undefined
testPublisher(
  { describe, expect, it },
  {
    async create() {
      const path = await newPath()
      const bus = await open(path)
      paths.set(bus, path)
      return bus
    },
    hang(bus) {
      locking = new Database(paths.get(bus))
      locking.exec('begin immediate')
    },
    destroy() {
      locking?.close()
      locking = undefined
    },
    events: async (bus) => (await (bus as EmbeddedBus).read({ limit: 1000 })).map(({ event }) => event),
  },
)

describe('the embedded bus', () => {
  testBusUpkeep(async (now) => {
    const database = await openSqlite({ path: await newPath() })
    opened.push(database)
    const { kysely } = database
    return {
      bus: database.bus({ now }),
      inbox: database.inbox({ now }),
      queue: database.queue(),
      kysely,
    }
  })

  it('reads on from a sequence, across processes and restarts', async () => {
    const path = await newPath()
    const bus = await open(path)
    await bus.publish([getEvent('a'), getEvent('b')], signal)
    const [first] = await bus.read({ limit: 1 })
    const other = await open(path)
    expect(await other.publish([getEvent('b'), getEvent('c')], signal)).toEqual([
      { ok: true, duplicate: true },
      { ok: true, duplicate: false },
    ])
    const rest = await bus.read({ after: first!.sequence, limit: 10 })
    expect(rest.map(({ event }) => event.id)).toEqual(['b', 'c'])
  })

  it('calls subscribers once per committed event, even when one throws', async () => {
    const bus = await open()
    const heard: BusEvent[] = []
    bus.subscribe(() => {
      throw new Error('a listener of no use')
    })
    bus.subscribe(() => Promise.reject(new Error('a listener of no use')))
    const unsubscribe = bus.subscribe((event, sequence) => heard.push({ event, sequence }))
    const event = getEvent('a\0\ud800')
    await bus.publish([event, event], signal)
    unsubscribe()
    await bus.publish([getEvent('b')], signal)
    expect(heard).toEqual([{ sequence: 1, event }])
    expect(await bus.read({ limit: 1 })).toEqual(heard)
  })

  it('stops waiting on abort and still calls subscribers', async () => {
    const bus = await open()
    const stop = new AbortController()
    const heard = new Promise<WebhookEvent>((resolve) => bus.subscribe(resolve))
    const publishing = bus.publish([getEvent('a')], stop.signal)
    stop.abort()
    await expect(publishing).rejects.toMatchObject({ name: 'AbortError' })
    expect((await heard).id).toBe('a')
  })
})
