import { expect, it, vi } from 'vitest'
import { z } from 'zod'
import { createMemorySubscriptionStore } from './memory-store.ts'
import type { CreatedRegistration, Registration, SubscriptionService } from './service.ts'
import { createSubscriptions } from './subscriptions.ts'
import { removalAttempts, type SubscriptionParts } from './visitor.ts'

const hour = 3_600_000
const day = 24 * hour

interface Stored extends Registration {
  readonly url: string
  readonly secret: string | undefined
  readonly events: string
}

class Refused extends Error {
  readonly code: string
  readonly retryAfterMs: number | undefined
  constructor(code: string, retryAfterMs?: number) {
    super('The token abc is refused')
    this.code = code
    this.retryAfterMs = retryAfterMs
  }
}

/** A service in memory. */
function createService(
  lifetimeMs: number | undefined,
  changes: Partial<SubscriptionService<{ events: string }>> = {},
) {
  const stored = new Map<string, Stored>()
  const calls: string[] = []
  let serial = 0
  const clock = { now: 1_700_000_000_000, offset: 0, failure: undefined as Error | undefined }
  const call = async (name: string, token: (options: { isRefused: boolean }) => unknown) => {
    await token({ isRefused: false })
    calls.push(name)
    if (clock.failure) throw clock.failure
  }
  const expire = () => (lifetimeMs === undefined ? {} : { expiresAt: clock.now + clock.offset + lifetimeMs })
  const service: SubscriptionService<{ events: string }> = {
    name: 'shop',
    secret: 'endpoint',
    parameters: z.strictObject({ events: z.string() }),
    async list({ address, token }, known) {
      await call('list', token)
      return [...stored.values()].filter(({ url, id }) => url === address || id === known?.id)
    },
    async create({ address, secrets: [secret], parameters, token }): Promise<CreatedRegistration> {
      await call('create', token)
      const created = { id: `s${++serial}`, url: address, secret, ...parameters, ...expire() }
      stored.set(created.id, created)
      return { ...created, secret: service.secret === 'created' ? `secret-${created.id}` : undefined }
    },
    async renew({ token }, { id }) {
      await call('renew', token)
      const renewed = { ...stored.get(id)!, ...expire() }
      stored.set(id, renewed)
      return renewed
    },
    async repair({ address, secrets: [secret], parameters, token }, { id }) {
      await call('repair', token)
      const repaired = { ...stored.get(id)!, url: address, secret, ...parameters, isDisabled: false }
      stored.set(id, repaired)
      return repaired
    },
    async remove({ token }, { id }) {
      await call('remove', token)
      stored.delete(id)
    },
    ...changes,
  }
  return { service, stored, calls, clock }
}

function open(
  { service, clock }: Pick<ReturnType<typeof createService>, 'service' | 'clock'>,
  changes: Partial<SubscriptionParts> = {},
) {
  const store = changes.store ?? createMemorySubscriptionStore(() => clock.now)
  const address = {
    url: 'https://hooks.example.com/webhooks/shop/e1',
    isKnown: true,
    secrets: ['one'],
  }
  const created: string[] = []
  const credentials = vi.fn(() => 'abc')
  const actions: string[] = []
  const subscriptions = createSubscriptions({
    ...{ services: [service], credentials, store, pollMs: 1, random: () => 0, now: () => clock.now },
    findAddress: () =>
      Promise.resolve({
        ...address,
        storeSecret: (secret) => {
          created.push(secret)
          address.secrets = [secret]
          return Promise.resolve()
        },
      }),
    hash: (text) => text,
    onAction: (_, action) => actions.push(action),
    ...changes,
  })
  /** Runs the loop until nothing is due. */
  const settle = async () => {
    subscriptions.start()
    await new Promise((resolve) => setTimeout(resolve, 15))
    await subscriptions.stop()
  }
  const add = (id = 'a') =>
    subscriptions.add({ id, service: 'shop', endpoint: 'e1', parameters: { events: 'all' } })
  return { subscriptions, store, settle, add, address, created, credentials, actions }
}

it('creates a subscription with the address and the secret of the endpoint', async () => {
  const vendor = createService(undefined)
  const { settle, add, store, address, actions } = open(vendor)
  expect((await add()).progress).toEqual({ failures: 0, revision: 0 })
  await settle()
  expect([...vendor.stored.values()]).toMatchObject([{ url: address.url, secret: 'one', events: 'all' }])
  expect(vendor.calls).toEqual(['list', 'create'])
  expect(await store.get('a')).toMatchObject({ progress: { registration: { id: 's1' }, failures: 0 } })
  expect(actions).toEqual(['create'])
})

it('renews a subscription after two thirds of its lifetime', async () => {
  const vendor = createService(3 * day)
  const { settle, add, store } = open(vendor)
  await add()
  await settle()
  vendor.clock.now += 2 * day - hour
  await settle()
  expect(vendor.calls).toEqual(['list', 'create', 'list'])
  vendor.clock.now += hour
  await settle()
  expect(vendor.calls.slice(3)).toEqual(['list', 'renew'])
  expect((await store.get('a'))?.progress.registration?.expiresAt).toBe(vendor.clock.now + 3 * day)
})

it.each([-2 * hour, 2 * hour])(
  'renews in time with a clock that differs by %d ms',
  async (offset) => {
    const vendor = createService(day)
    vendor.clock.offset = offset
    const { settle, add } = open(vendor)
    await add()
    await settle()
    for (let at = 0; at < 2 * day; at += hour) {
      vendor.clock.now += hour
      await settle()
      for (const { expiresAt = 0 } of vendor.stored.values())
        expect(expiresAt - offset).toBeGreaterThan(vendor.clock.now)
    }
    expect(vendor.calls.filter((name) => name === 'create')).toHaveLength(1)
  },
  20_000,
)

it('replaces a subscription that cannot be renewed before it expires, and creates the new one first', async () => {
  const vendor = createService(day, { renew: undefined as never })
  const { settle, add } = open(vendor)
  await add()
  await settle()
  vendor.clock.now += day * 0.7
  await settle()
  expect(vendor.calls.slice(2)).toEqual(['list', 'create', 'remove'])
  expect([...vendor.stored.keys()]).toEqual(['s2'])
})

it('does not renew without a pause when the clock of the service is behind by more than a lifetime', async () => {
  const vendor = createService(hour)
  vendor.clock.offset = -2 * hour
  const { settle, add, subscriptions } = open(vendor)
  await add()
  await settle()
  vendor.clock.now += 59_000
  await settle()
  expect(vendor.calls).toEqual(['list', 'create'])
  vendor.clock.now += 1000
  await settle()
  expect(vendor.calls).toEqual(['list', 'create', 'list', 'renew'])
  expect(await subscriptions.count()).toBe(1)
})

it('adopts a subscription that was created before a crash', async () => {
  const vendor = createService(undefined)
  const memory = createMemorySubscriptionStore(() => vendor.clock.now)
  const save = vi
    .fn<typeof memory.save>((...given) => memory.save(...given))
    .mockRejectedValueOnce(new Error('The process was killed'))
  const { settle, add, store } = open(vendor, { store: { ...memory, save } })
  await add()
  await settle()
  expect((await store.get('a'))?.progress.registration).toBeUndefined()
  vendor.clock.now += 10 * 60_000
  await settle()
  expect((await store.get('a'))?.progress.registration?.id).toBe('s1')
  expect([...vendor.stored.keys()]).toEqual(['s1'])
  expect(vendor.calls).toEqual(['list', 'create', 'list', 'repair'])
})

it('removes a second subscription that a suspended process created', async () => {
  const vendor = createService(undefined)
  const { settle, add, address, store } = open(vendor)
  await add()
  await settle()
  vendor.stored.set('s9', { id: 's9', url: address.url, secret: 'one', events: 'all' })
  vendor.clock.now += 2 * hour
  await settle()
  expect([...vendor.stored.keys()]).toEqual(['s1'])
  expect((await store.get('a'))?.progress.registration?.id).toBe('s1')
})

it('keeps the subscription of another record of the address', async () => {
  const vendor = createService(undefined)
  const { settle, add, subscriptions } = open(vendor)
  await add('a')
  await settle()
  await add('b')
  await settle()
  expect([...vendor.stored.keys()]).toEqual(['s1', 's2'])
  await subscriptions.remove('a')
  await settle()
  expect([...vendor.stored.keys()]).toEqual(['s2'])
})

it('replaces an adopted subscription whose created secret is lost', async () => {
  const vendor = createService(undefined, { secret: 'created' })
  const { settle, add, created, address, store } = open(vendor)
  vendor.stored.set('s0', { id: 's0', url: address.url, secret: undefined, events: 'all' })
  await add()
  await settle()
  expect([...vendor.stored.keys()]).toEqual(['s1'])
  expect(created).toEqual(['secret-s1'])
  vendor.clock.now += 2 * hour
  await settle()
  expect((await store.get('a'))?.progress.registration?.id).toBe('s1')
  expect(created).toHaveLength(1)
})

it('creates no subscription whose secret the endpoint cannot store', async () => {
  const vendor = createService(undefined, { secret: 'created' })
  const storeSecret = () => Promise.reject(new Error('full'))
  const address = { url: 'https://hooks.example.com/e1', isKnown: true, secrets: ['one'] }
  const findAddress = () => Promise.resolve({ ...address, storeSecret, isFull: true })
  const { settle, add, store } = open(vendor, { findAddress })
  await add()
  await settle()
  expect(vendor.calls).not.toContain('create')
  expect((await store.get('a'))?.progress.error).toBe('TOO_MANY_SECRETS')
})

it('repairs a subscription that the service disabled, and creates one that it dropped', async () => {
  const vendor = createService(undefined)
  const { settle, add, actions } = open(vendor)
  await add()
  await settle()
  vendor.stored.set('s1', { ...vendor.stored.get('s1')!, isDisabled: true })
  vendor.clock.now += 2 * hour
  await settle()
  expect(vendor.stored.get('s1')?.isDisabled).toBe(false)
  vendor.stored.clear()
  vendor.clock.now += 2 * hour
  await settle()
  expect([...vendor.stored.keys()]).toEqual(['s2'])
  expect(actions).toEqual(['create', 'repair', 'create'])
})

it('forgets a subscription that the service dropped when it cannot be created again', async () => {
  const vendor = createService(3 * day)
  const { settle, add, store } = open(vendor)
  await add()
  await settle()
  vendor.stored.clear()
  vendor.service.create = () => Promise.reject(new Refused('HTTP_403'))
  vendor.clock.now += 2 * hour
  await settle()
  const { progress } = (await store.get('a')) ?? {}
  expect([progress?.registration, progress?.error]).toEqual([undefined, 'HTTP_403'])
})

it('sends a new secret and a new address of the endpoint to the service', async () => {
  const vendor = createService(undefined)
  const { settle, add, address } = open(vendor)
  await add()
  await settle()
  Object.assign(address, { secrets: ['two'], url: 'https://new.example.com/webhooks/shop/e1' })
  vendor.clock.now += 2 * hour
  await settle()
  expect([...vendor.stored.values()]).toMatchObject([{ id: 's1', secret: 'two', url: address.url }])
})

it('tries again later after a failure, and not before the service allows it', async () => {
  const vendor = createService(undefined)
  const { settle, add, store } = open(vendor)
  vendor.clock.failure = new Refused('RATE_LIMITED', 5 * 60_000)
  await add()
  await settle()
  expect((await store.get('a'))?.progress).toEqual({ failures: 1, revision: 0, error: 'RATE_LIMITED' })
  vendor.clock.failure = undefined
  vendor.clock.now += 4 * 60_000
  await settle()
  expect(vendor.calls).toEqual(['list'])
  vendor.clock.now += 60_000
  await settle()
  const { progress } = (await store.get('a')) ?? {}
  expect(progress).toMatchObject({ failures: 0, registration: { id: 's1' } })
  expect(progress?.error).toBeUndefined()
})

it('keeps what the service has after a refused token', async () => {
  const vendor = createService(3 * day)
  const { settle, add, store } = open(vendor)
  await add()
  await settle()
  vendor.clock.failure = new Refused('HTTP_401')
  vendor.clock.now += 2.5 * day
  await settle()
  const { progress } = (await store.get('a')) ?? {}
  expect(progress).toMatchObject({ error: 'HTTP_401', failures: 1, registration: { id: 's1' } })
  expect(JSON.stringify(progress)).not.toContain('abc')
})

it('renews at once on request', async () => {
  const vendor = createService(3 * day)
  const { settle, add, subscriptions } = open(vendor)
  await add()
  await settle()
  vendor.clock.now += 1000
  expect([await subscriptions.renew('a'), await subscriptions.renew('b')]).toEqual([true, false])
  await settle()
  expect(vendor.calls.slice(2)).toEqual(['list', 'renew'])
  await settle()
  expect(vendor.calls).toHaveLength(4)
})

it('removes the subscriptions of an endpoint before it returns', async () => {
  const vendor = createService(undefined)
  const { settle, add, subscriptions, store } = open(vendor)
  await add()
  await settle()
  await subscriptions.removeOf('e1')
  expect([vendor.stored.size, await store.count()]).toEqual([0, 0])
})

it('removes the subscription of an endpoint that was deleted in the database', async () => {
  const vendor = createService(undefined)
  const { settle, add, address, store } = open(vendor)
  await add()
  await settle()
  address.isKnown = false
  vendor.clock.now += 2 * hour
  await settle()
  expect([vendor.stored.size, await store.count()]).toEqual([0, 0])
})

it('gives up a removal after bounded attempts, and deletes the record a week later', async () => {
  const vendor = createService(undefined)
  const { settle, add, subscriptions, store } = open(vendor)
  await add()
  await settle()
  vendor.clock.failure = new Refused('HTTP_401')
  await subscriptions.remove('a')
  for (let attempt = 0; attempt < removalAttempts + 5; attempt++) {
    await settle()
    vendor.clock.now += hour
  }
  expect(vendor.calls).toHaveLength(2 + removalAttempts)
  expect(await store.get('a')).toMatchObject({
    isRemoving: true,
    progress: { failures: removalAttempts, error: 'HTTP_401' },
  })
  vendor.clock.now += 7 * day
  await settle()
  expect(await store.count()).toBe(0)
})

it('begins the attempts of a removal again on request', async () => {
  const vendor = createService(undefined)
  const { settle, add, subscriptions, store } = open(vendor)
  await add()
  await settle()
  vendor.clock.failure = new Refused('HTTP_401')
  await subscriptions.remove('a')
  for (let attempt = 0; attempt < removalAttempts; attempt++) {
    await settle()
    vendor.clock.now += hour
  }
  vendor.clock.failure = undefined
  await subscriptions.renew('a')
  await settle()
  expect([vendor.stored.size, await store.count()]).toEqual([0, 0])
})

it('refuses an unknown service, an unknown endpoint, and parameters that the service does not accept', async () => {
  const vendor = createService(undefined)
  const { subscriptions, address, add } = open(vendor)
  const target = { service: 'shop', endpoint: 'e1', parameters: { events: 'all' } }
  const invalid = { code: 'VALIDATION_ERROR' }
  await expect(subscriptions.add({ ...target, service: 'none' })).rejects.toMatchObject(invalid)
  await expect(subscriptions.add({ ...target, parameters: { events: 1 } })).rejects.toThrow(
    'parameters.events',
  )
  await add()
  await expect(add()).rejects.toMatchObject({ code: 'CONFLICT' })
  address.isKnown = false
  await expect(subscriptions.add(target)).rejects.toMatchObject(invalid)
})

it('adds, changes and removes declared subscriptions, and leaves the others', async () => {
  const vendor = createService(undefined)
  const { settle, add, subscriptions, store } = open(vendor)
  await add('own')
  const target = { service: 'shop', endpoint: 'e1', parameters: { events: 'all' } }
  await subscriptions.declare([{ ...target, id: 'b' }])
  await settle()
  expect(vendor.stored.size).toBe(2)
  await subscriptions.declare([{ ...target, id: 'b', parameters: { events: 'push' } }])
  await settle()
  expect(vendor.stored.get('s2')?.events).toBe('push')
  await subscriptions.declare([])
  await settle()
  expect([[...vendor.stored.keys()], await store.count()]).toEqual([['s1'], 1])
})

it('declares the subscriptions of a file at the start, also beside one that cannot be added', async () => {
  const vendor = createService(undefined)
  const onError = vi.fn()
  const target = { service: 'shop', endpoint: 'e1', parameters: { events: 'all' } }
  const declared = [
    { ...target, id: 'a', service: 'none' },
    { ...target, id: 'b' },
  ]
  const { settle, store } = open(vendor, { declared, onError })
  await settle()
  expect([vendor.stored.size, (await store.get('b'))?.isDeclared, await store.get('a')]).toEqual([
    1,
    true,
    undefined,
  ])
  expect(onError).toHaveBeenCalledOnce()
})

it('ends a request at the stop, and leaves the subscription to another process', async () => {
  const vendor = createService(undefined, {
    list: ({ signal }) =>
      new Promise((_, reject) => {
        signal.addEventListener('abort', () => {
          reject(new Error('Stopped'))
        })
      }),
  })
  const { settle, add, store } = open(vendor)
  await add()
  await settle()
  expect((await store.get('a'))?.progress.failures).toBe(0)
  expect(await store.claim({ token: 't', leaseMs: 1, limit: 1 })).toHaveLength(1)
})
