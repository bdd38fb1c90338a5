import { afterEach, describe, expect, it, vi } from 'vitest'
import { doorbell, rung, secret, signBody } from './doorbell.ts'
import {
  createMemoryBus,
  type Destination,
  type DestinationMessage,
  type DestinationResult,
} from '../src/index.ts'
import { createMemoryDestinationStore } from '../src/destinations/memory-store.ts'
import { openManagedDestinations } from '../src/destinations/managed.ts'
import { createSecretCipher } from '../src/endpoints/secret-cipher.ts'
import { createWebhooks, createMemoryDatabase, type WebhooksOptions } from '../src/node/index.ts'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

function createDestination(name: string, options: Partial<Destination> = {}) {
  const send = vi.fn<(message: DestinationMessage) => Promise<DestinationResult>>(() =>
    Promise.resolve({ outcome: 'done', durationMs: 1 }),
  )
  return { send, destination: { name, mode: 'event', send, ...options } satisfies Destination }
}

function open(options: Partial<WebhooksOptions<[typeof doorbell]>>) {
  const database = createMemoryDatabase()
  const webhooks = createWebhooks({
    database,
    providers: [doorbell],
    secrets: { doorbell: secret },
    ...options,
  })
  webhooks.start()
  closing.push(() => webhooks.stop(0))
  const deliver = async (id = '1') => {
    const body = rung(id)
    const init = { method: 'POST', body, headers: await signBody(body) }
    const response = await webhooks.fetch(new Request('https://hooks.example.com/webhooks/doorbell', init))
    return ((await response.json()) as { data: { status: string } }).data.status
  }
  return { webhooks, database, deliver }
}

const id = 'doorbell:bell.rung:1'

describe('createWebhooks with destinations', () => {
  it('sends an event once', async () => {
    const { send, destination } = createDestination('a')
    const { deliver } = open({ destinations: [destination] })
    expect([await deliver(), await deliver()]).toEqual(['accepted', 'duplicate'])
    await vi.waitFor(() => {
      expect(send).toHaveBeenCalledOnce()
    })
    expect(send.mock.calls[0]?.[0]).toMatchObject({ events: [{ id, data: { door: 'front' } }], attempt: 1 })
  })

  it('keeps the events of a stored destination that cannot be opened', async () => {
    const { send, destination } = createDestination('a')
    const { managed: store } = createMemoryDestinationStore()
    let isAllowed = false
    const openStored = async (canOpen: () => boolean) => {
      const destinations = await openManagedDestinations({
        ...{ store, cipher: createSecretCipher([new Uint8Array(32)]), onError: () => undefined },
        declared: { list: () => [], onChange: () => undefined },
        open() {
          if (!canOpen()) throw new TypeError('The address of the destination is not allowed')
          return { ...destination, close: () => Promise.resolve() }
        },
      })
      closing.push(() => destinations.close())
      return destinations
    }
    const other = await openStored(() => true)
    await other.create({ name: 'a', mode: 'event', url: 'https://a.example.com' }, 'secret')
    const destinations = await openStored(() => isAllowed)
    const { deliver, webhooks } = open({ destinations })
    await deliver()
    expect(await webhooks.operations.destinations?.list()).toMatchObject([
      { name: 'a', state: 'unavailable', events: 1 },
    ])
    isAllowed = true
    await other.update('a', (declaration) => declaration)
    await destinations.refresh()
    await vi.waitFor(() => {
      expect(send).toHaveBeenCalledOnce()
    })
  })

  it('sends events beside handlers, and only events with a handler go there', async () => {
    const { send, destination } = createDestination('a', { mode: 'original' })
    const ring = vi.fn()
    const { deliver } = open({ destinations: [destination], on: { 'doorbell/bell.rung': ring } })
    await deliver()
    await vi.waitFor(() => {
      expect([send.mock.calls.length, ring.mock.calls.length]).toEqual([1, 1])
    })
    expect(send.mock.calls[0]?.[0].request?.body).toEqual(rung())
    const without = open({ destinations: [destination], on: {} })
    await without.deliver()
    await vi.waitFor(async () => {
      expect((await without.database.inbox().published?.({ limit: 9 }))?.length).toBe(1)
    })
  })

  it('sends events beside a bus', async () => {
    const { send, destination } = createDestination('a')
    const rejected = createDestination('b', { accepts: () => false })
    const publisher = createMemoryBus()
    const { deliver } = open({ destinations: [destination, rejected.destination], publisher })
    await deliver()
    await vi.waitFor(() => {
      expect(send).toHaveBeenCalledOnce()
      expect(publisher.events.map((event) => event.id)).toEqual([id])
    })
    expect(rejected.send).not.toHaveBeenCalled()
  })

  it('lists, pauses and resumes destinations', async () => {
    const { send, destination } = createDestination('a')
    const { webhooks, deliver } = open({ destinations: [destination] })
    const { destinations } = webhooks.operations
    expect(await destinations?.pause('a')).toBe(true)
    await deliver()
    await vi.waitFor(async () => {
      expect(await destinations?.list()).toMatchObject([
        { name: 'a', state: 'paused', events: 1, destination },
      ])
    })
    expect(send).not.toHaveBeenCalled()
    expect([await destinations?.resume('a'), await destinations?.resume('a')]).toEqual([true, false])
    await vi.waitFor(() => {
      expect(send).toHaveBeenCalledOnce()
    })
    await vi.waitFor(async () => {
      expect(await destinations?.list()).toMatchObject([
        { name: 'a', state: 'running', events: 0, destination },
      ])
    })
  })

  it('replays to the destinations again', async () => {
    const { send, destination } = createDestination('a')
    const { webhooks, deliver, database } = open({ destinations: [destination] })
    await deliver()
    await vi.waitFor(() => {
      expect(send).toHaveBeenCalledOnce()
    })
    const [delivery] = (await database.inbox().list?.({ limit: 1 })) ?? []
    await vi.waitFor(async () => {
      const result = await webhooks.operations.replayer?.replay({ ids: [delivery?.id ?? ''] })
      expect(result?.deliveries).toMatchObject([{ outcome: 'replayed', events: [id] }])
    })
    await vi.waitFor(() => {
      expect(send).toHaveBeenCalledTimes(2)
    })
  })

  it('refuses two of one name, and options that are for a publisher', () => {
    const { destination } = createDestination('a')
    expect(() => open({ destinations: [destination, destination] })).toThrow('same name')
    expect(() => open({ destinations: [destination], dispatcher: { memoryEvents: 1 } })).toThrow(
      'dispatcher.memoryEvents needs a publisher',
    )
  })
})
