import { createEvent } from '@sallyport/webhooks/testing'
import { describe, expect, it, vi } from 'vitest'
import { openGateway, rung, doorbell } from '../../test/doorbell.ts'
import { createLanes, createReplayer, createMemoryInbox, type WebhookEvent } from '../index.ts'

describe('lanes', () => {
  it('name the lane of an event, in order by default', () => {
    const laneOf = createLanes(({ source, subject }) => source.endpoint ?? subject)
    const event = createEvent('1', 0, { subject: 'front' })
    expect(laneOf(event)).toEqual({ name: 'front', isOrdered: true })
    const source = { ...event.source, endpoint: 'acme' }
    expect(laneOf({ ...event, source })).toEqual({ name: 'acme', isOrdered: true })
    expect(createLanes(() => 'a', { ordered: false })(event)).toEqual({ name: 'a', isOrdered: false })
  })

  it('spread the events of an unordered lane over its concurrency', () => {
    const laneOf = createLanes(() => 'acme', { ordered: false, concurrency: 3 })
    const names = Array.from({ length: 300 }, (_, index) => laneOf(createEvent(`id:${index}`, 0))?.name)
    expect([...new Set(names)].sort()).toEqual(['acme#0', 'acme#1', 'acme#2'])
    for (const name of ['acme#0', 'acme#1', 'acme#2'])
      expect(names.filter((one) => one === name).length).toBeGreaterThan(70)
    expect(names[7]).toBe(laneOf(createEvent('id:7', 0))?.name)
  })

  it.each([
    ['a number', () => 1],
    ['null', () => null],
    ['a promise', () => Promise.resolve('a')],
    ['a text that is too long', () => 'a'.repeat(513)],
    ['a text that a database cannot store', () => 'a\0'],
    ['half of a character', () => '\ud800'],
  ])('leave an event without a lane for %s, and report it', (_, select) => {
    const onError = vi.fn()
    expect(createLanes(select as never, { onError })(createEvent('1', 0))).toBeUndefined()
    expect(onError).toHaveBeenCalledWith(expect.any(TypeError))
  })

  it('leave an event without a lane when the function throws', async () => {
    const error = new Error('no')
    const onError = vi.fn()
    const laneOf = createLanes(
      () => {
        throw error
      },
      { onError },
    )
    const { deliver, recorded } = openGateway({ laneOf })
    expect((await deliver()).said).toBe('accepted')
    expect(recorded[0]?.record.events[0]).not.toHaveProperty('lane')
    expect(onError).toHaveBeenCalledWith(error)
  })

  it.each([undefined, ''])('leave an event without a lane for %j', (name) => {
    const onError = vi.fn()
    expect(createLanes(() => name, { onError })(createEvent('1', 0))).toBeUndefined()
    expect(onError).not.toHaveBeenCalled()
  })

  it('refuse options that cannot work', () => {
    const create = (options: Parameters<typeof createLanes>[1]) => () => createLanes(() => 'a', options)
    expect(() => createLanes('subject' as never)).toThrow('lane must be a function')
    expect(create({ ordered: false, concurrency: 0 })).toThrow('lanes.concurrency must be an integer')
    expect(create({ concurrency: 2 })).toThrow('lanes.concurrency needs ordered: false')
  })
})

describe('a gateway with lanes', () => {
  const laneOf = createLanes(({ subject }: WebhookEvent) => subject)
  const front = { lane: { name: 'front', isOrdered: true } }

  it('records the lane of each event of the direct route', async () => {
    const { deliver, recorded } = openGateway({ laneOf })
    await deliver()
    expect(recorded[0]?.record.events).toMatchObject([front])
  })

  it('records no lane for the shared queue', async () => {
    const providers = [{ ...doorbell, queueable: ['bell.rung'] as const }]
    const { deliver, recorded } = openGateway({ laneOf, providers, queuePilots: ['doorbell'] })
    await deliver()
    expect(recorded[0]?.record.events[0]).toMatchObject({ route: 'queue' })
    expect(recorded[0]?.record.events[0]).not.toHaveProperty('lane')
  })

  it('gives the events of a quarantined delivery their lane', async () => {
    const inbox = createMemoryInbox()
    const broken = {
      ...doorbell,
      normalize() {
        throw new Error('no')
      },
    }
    const { deliver } = openGateway({ inbox, providers: [broken] })
    await deliver({ body: rung() })
    const replayer = createReplayer({ inbox, providers: [doorbell], laneOf })
    await replayer.replay({ filter: { status: 'quarantined' }, limit: 1 })
    expect(await inbox.claim('publish', { limit: 1, leaseMs: 1000 })).toEqual([])
    const lanes = await inbox.claimLanes!({ limit: 1, events: 1, leaseMs: 1000 })
    expect(lanes).toMatchObject([{ name: 'front' }])
  })
})
