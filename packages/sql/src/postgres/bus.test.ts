import { describeWith } from '@sallyport/test-support/services'
import type { WebhookEvent } from '@sallyport/webhooks'
import { testPublisher } from '@sallyport/webhooks/testing'
import { sql, type ControlledTransaction, type Kysely } from 'kysely'
import { describe, expect, it } from 'vitest'
import { testBusUpkeep } from '../../test/bus-upkeep.ts'
import { openProcesses } from '../../test/postgres-inbox.ts'
import { getDelivery } from '../../test/records.ts'
import type { InboxTables } from '../internal/tables.ts'
import type { BusEvent, EmbeddedBus } from './index.ts'

const { signal } = new AbortController()
const getEvent = (id: string) => getDelivery(id).events[0]!.event

describeWith('postgres', (postgres) => {
  const database = openProcesses(2, () => ({ ...postgres(), schema: 'buses' }))
  const create = async () => {
    await sql`truncate buses.bus_events, buses.bus_consumers restart identity`.execute(database().kysely)
    return database().bus()
  }

  let locked: Promise<ControlledTransaction<InboxTables>> | undefined
  testPublisher(
    { describe, expect, it },
    {
      create,
      async hang() {
        const kysely = database(1).kysely as unknown as Kysely<InboxTables>
        locked = kysely.startTransaction().execute()
        await sql`lock table buses.bus_events in exclusive mode`.execute(await locked)
      },
      async destroy() {
        await (await locked)?.rollback().execute()
        locked = undefined
      },
      events: async (bus) => (await (bus as EmbeddedBus).read({ limit: 1000 })).map(({ event }) => event),
    },
  )

  testBusUpkeep(async (now) => {
    await create()
    return {
      bus: database().bus({ now }),
      inbox: database().inbox({ now }),
      queue: database().queue(),
      kysely: database().kysely.$extendTables<InboxTables>(),
    }
  })

  it('reads on from a sequence, across processes', async () => {
    const bus = await create()
    await bus.publish([getEvent('a'), getEvent('b')], signal)
    const [first] = await bus.read({ limit: 1 })
    expect(
      await database(1)
        .bus()
        .publish([getEvent('b'), getEvent('c')], signal),
    ).toEqual([
      { ok: true, duplicate: true },
      { ok: true, duplicate: false },
    ])
    const rest = await bus.read({ after: first!.sequence, limit: 10 })
    expect(rest.map(({ event }) => event.id)).toEqual(['b', 'c'])
  })

  it('calls subscribers once per committed event, even when one throws', async () => {
    const bus = await create()
    const heard: BusEvent[] = []
    bus.subscribe(() => {
      throw new Error('a listener of no use')
    })
    bus.subscribe((event, sequence) => heard.push({ event, sequence }))
    const event = getEvent('a\0\ud800')
    await bus.publish([event, event], signal)
    expect(heard).toEqual([{ sequence: 1, event }])
    expect(await bus.read({ limit: 1 })).toEqual(heard)
  })

  it('fails an invalid publication without the others of its batch', async () => {
    const bus = await create()
    const tooLong = Array.from({ length: 9000 }, (_, index) =>
      String.fromCharCode(0x4e00 + ((index * 7919) % 20_000)),
    ).join('')
    const results = await Promise.allSettled(
      ['a', tooLong, 'b'].map((id) => bus.publish([getEvent(id)], signal)),
    )
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  })

  it('stops waiting on abort and still calls subscribers', async () => {
    const bus = await create()
    const stop = new AbortController()
    const heard = new Promise<WebhookEvent>((resolve) => bus.subscribe(resolve))
    const publishing = bus.publish([getEvent('a')], stop.signal)
    stop.abort()
    await expect(publishing).rejects.toMatchObject({ name: 'AbortError' })
    expect((await heard).id).toBe('a')
  })
})
