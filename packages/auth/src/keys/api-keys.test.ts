import { testApiKeyStore } from '@sallyport/testing/auth'
import { describe, expect, it, vi } from 'vitest'
import { createApiKeys, type ApiKeysOptions } from './api-keys.ts'
import { createMemoryApiKeyStore } from './memory-api-key-store.ts'

testApiKeyStore({ describe, expect, it }, () => createMemoryApiKeyStore())

interface User {
  readonly id: string
}

function open(options: Partial<ApiKeysOptions<User>> = {}) {
  const clock = { time: 1_000_000 }
  const store = createMemoryApiKeyStore()
  const lookups: string[] = []
  const touches: number[] = []
  const keys = createApiKeys<User>({
    getOwner: (id) => ({ id }),
    now: () => clock.time,
    ...options,
    store: {
      ...store,
      get: (id) => {
        lookups.push(id)
        return (options.store ?? store).get(id)
      },
      touch: (id, at) => {
        touches.push(at)
        return (options.store ?? store).touch(id, at)
      },
    },
  })
  const create = async (changes = {}) =>
    keys.create({ name: 'CI', scopes: ['deliveries:read'], ownerId: 'ann', ...changes })
  return { clock, store, lookups, touches, keys, create }
}

const invalid = { code: 'INVALID_TOKEN', message: 'The access token is not valid; get a new one' }

/** Replaces one character by another hexadecimal digit. */
const damage = (text: string, at: number) =>
  text.slice(0, at) + (text[at] === '0' ? '1' : '0') + text.slice(at + 1)

it('verifies a created key and returns its owner', async () => {
  const { keys, create } = open()
  const { key, text } = await create()
  expect(text).toMatch(/^sp_[0-9a-f]{16}_[0-9a-f]{72}$/)
  expect(text.startsWith(`${key.prefix}_`)).toBe(true)
  expect(keys.isApiKey(text)).toBe(true)
  expect(await keys.verify(text)).toEqual({ key, owner: { id: 'ann' } })
})

it('rejects every damaged character without a lookup', async () => {
  const { keys, create, lookups } = open()
  const { text } = await create()
  for (let at = 0; at < text.length; at++) {
    await expect(keys.verify(damage(text, at))).rejects.toMatchObject(invalid)
  }
  expect(lookups).toEqual([])
})

it('rejects the secret of another key', async () => {
  const { keys, create } = open({ prefix: 'key' })
  const [one, other] = [await create(), await create()]
  const { crc32 } = await import('node:zlib')
  const mixed = `key_${one.key.id}_${other.text.split('_')[2]!.slice(0, 64)}`
  const forged = mixed + crc32(mixed).toString(16).padStart(8, '0')
  await expect(keys.verify(forged)).rejects.toMatchObject(invalid)
})

it('rejects a deleted key, and the keys that it created, at once', async () => {
  const { keys, create } = open()
  const parent = await create()
  const child = await create({ parentId: parent.key.id })
  await keys.verify(child.text)
  expect(await keys.delete(parent.key.id)).toHaveLength(2)
  for (const { text } of [parent, child]) await expect(keys.verify(text)).rejects.toMatchObject(invalid)
})

it('does not cache a lookup that began before the deletion', async () => {
  const store = createMemoryApiKeyStore()
  const waiting: (() => void)[] = []
  const { keys } = open({
    store: {
      ...store,
      async get(id) {
        const record = await store.get(id)
        await new Promise<void>((resolve) => waiting.push(resolve))
        return record
      },
    },
  })
  const { text } = await createIn(store)
  const early = keys.verify(text)
  await vi.waitFor(() => {
    expect(waiting).toHaveLength(1)
  })
  await store.delete(text.split('_')[1]!)
  await keys.delete(text.split('_')[1]!)
  waiting[0]!()
  await early
  const late = keys.verify(text)
  await vi.waitFor(() => {
    expect(waiting).toHaveLength(2)
  })
  waiting[1]!()
  await expect(late).rejects.toMatchObject(invalid)
})

it('creates no key for a key that was deleted', async () => {
  const { keys, create } = open()
  const { key } = await create()
  const child = await create({ parentId: key.id })
  expect(child.key.parentId).toBe(key.id)
  await keys.delete(key.id)
  await expect(create({ parentId: key.id })).rejects.toMatchObject(invalid)
  expect(await keys.count()).toBe(0)
})

it('rejects an expired key', async () => {
  const { keys, create, clock } = open()
  const { text } = await create({ expiresAt: 1_000_500 })
  clock.time = 1_000_499
  await keys.verify(text)
  clock.time = 1_000_500
  await expect(keys.verify(text)).rejects.toMatchObject(invalid)
})

it('stops the keys of an owner who may no longer use them within five seconds', async () => {
  let owner: User | undefined = { id: 'ann' }
  const { keys, create, clock } = open({ getOwner: () => owner })
  const { text } = await create()
  await keys.verify(text)
  owner = undefined
  clock.time += 5000
  await expect(keys.verify(text)).rejects.toMatchObject(invalid)
})

it('notes the use of a key at most once a minute', async () => {
  const { keys, create, clock, touches } = open()
  const { text } = await create()
  for (let second = 0; second <= 60; second++) {
    await keys.verify(text)
    clock.time += 1000
  }
  expect(touches).toEqual([1_000_000, 1_060_000])
})

it('reads a key once in five seconds, also for concurrent requests', async () => {
  const { keys, create, lookups } = open()
  const { text } = await create()
  await Promise.all(Array.from({ length: 50 }, () => keys.verify(text)))
  await keys.verify(text)
  expect(lookups).toHaveLength(1)
})

it('reads an unknown id once, and keeps known keys under a flood of unknown ids', async () => {
  const { keys, create, lookups } = open({ max: 10 })
  const { text } = await create()
  await keys.verify(text)
  const others = open()
  const unknown = await Promise.all(Array.from({ length: 30 }, () => others.create()))
  for (const each of unknown) await expect(keys.verify(each.text)).rejects.toMatchObject(invalid)
  await expect(keys.verify(unknown[29]!.text)).rejects.toMatchObject(invalid)
  expect(lookups).toHaveLength(31)
  await keys.verify(text)
  expect(lookups).toHaveLength(31)
})

it('answers 503 while the store is unavailable, and for too many lookups at once', async () => {
  const { text } = await open().create()
  const failing = { ...createMemoryApiKeyStore(), get: () => Promise.reject(new Error('no connection')) }
  await expect(open({ store: failing }).keys.verify(text)).rejects.toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
  })
  const hanging = { ...createMemoryApiKeyStore(), get: () => new Promise<undefined>(() => undefined) }
  const { keys } = open({ store: hanging })
  const others = open()
  const many = await Promise.all(Array.from({ length: 1000 }, () => others.create()))
  for (const each of many) keys.verify(each.text).catch(() => undefined)
  await expect(keys.verify(text)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
})

it('reports a use that cannot be stored, and accepts the key', async () => {
  const onError = vi.fn()
  const store = createMemoryApiKeyStore()
  const { keys } = open({ onError, store: { ...store, touch: () => Promise.reject(new Error('full')) } })
  const { text } = await createIn(store)
  await keys.verify(text)
  await vi.waitFor(() => {
    expect(onError).toHaveBeenCalledOnce()
  })
})

/** Creates a key in a store with a clock of its own. */
const createIn = (store: ReturnType<typeof createMemoryApiKeyStore>) =>
  createApiKeys({ store, getOwner: (id) => ({ id }), now: () => 0 }).create({
    name: 'CI',
    scopes: ['deliveries:read'],
    ownerId: 'ann',
  })
