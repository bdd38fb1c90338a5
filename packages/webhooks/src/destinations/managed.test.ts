import { expect, it, onTestFinished, vi } from 'vitest'
import { createSecretCipher } from '../endpoints/secret-cipher.ts'
import { managedDestinationSchema } from '../filter/destination-schema.ts'
import type { Destination } from '../ports/destination.ts'
import { openManagedDestinations, reencryptDestinations, type ManagedDestinationsOptions } from './managed.ts'
import { createMemoryDestinationStore } from './memory-store.ts'

const keys = [1, 2].map((byte) => new Uint8Array(32).fill(byte))
const declare = (name: string, url = 'https://a.example.com/the-key') =>
  managedDestinationSchema.parse({ name, url })
const none = { list: () => [], onChange: () => undefined }

function createOpen() {
  const close = vi.fn(() => Promise.resolve())
  const open = vi.fn<ManagedDestinationsOptions['open']>(({ name, url, mode }) => {
    if (url.startsWith('ftp')) throw new TypeError('url of a destination must be an https address')
    return { name, mode, send: () => Promise.reject(new Error('not sent')), close }
  })
  return { open, close }
}

async function openAll(options: Partial<ManagedDestinationsOptions> = {}) {
  const store = createMemoryDestinationStore().managed
  const { open } = createOpen()
  const onError = vi.fn()
  const common = { store, open, onError, declared: none, cipher: createSecretCipher(keys.slice(0, 1)) }
  const managed = await openManagedDestinations({ ...common, ...options })
  onTestFinished(() => managed.close())
  return { store, open, onError, managed }
}

it('opens stored destinations beside declared ones, and keeps those that stay', async () => {
  const fixed: Destination = { name: 'fixed', mode: 'event', send: () => Promise.reject(new Error('')) }
  const { managed } = await openAll({ declared: { ...none, list: () => [fixed] } })
  const listener = vi.fn()
  managed.onChange(listener)
  await managed.create(declare('billing'), 'one')
  const [, first] = managed.list()
  await managed.create(declare('crm'), 'two')
  expect(managed.list().map(({ name }) => name)).toEqual(['fixed', 'billing', 'crm'])
  expect(managed.list()[1]).toBe(first)
  expect(listener).toHaveBeenCalledTimes(2)
  for (const name of ['fixed', 'crm'])
    await expect(managed.create(declare(name), 'x')).rejects.toMatchObject({ code: 'CONFLICT' })
})

it('changes, rotates and deletes by version', async () => {
  const { managed, open } = await openAll()
  const { secrets } = await managed.create(declare('billing'), 'one')
  await managed.addSecret('billing', 'two')
  expect(open.mock.lastCall?.[1]).toEqual(['two', 'one'])
  expect(await managed.removeSecret('billing', secrets[0]?.id ?? '')).toBe(true)
  expect(await managed.removeSecret('billing', 'unknown')).toBe(false)
  expect(open.mock.lastCall?.[1]).toEqual(['two'])
  const [last] = (await managed.get('billing'))?.secrets ?? []
  await expect(managed.removeSecret('billing', last?.id ?? '')).rejects.toMatchObject({ code: 'CONFLICT' })
  const changed = declare('billing', 'https://b.example.com')
  await expect(managed.update('billing', () => changed, { version: 1 })).rejects.toMatchObject({
    code: 'PRECONDITION_FAILED',
  })
  expect(await managed.update('billing', () => changed, { version: 3 })).toMatchObject({
    version: 4,
    declaration: changed,
  })
  await expect(managed.update('billing', () => declare('billing', 'ftp://a'))).rejects.toMatchObject({
    ...{ code: 'VALIDATION_ERROR', message: 'url of a destination must be an https address' },
  })
  await expect(managed.delete('billing', { version: 1 })).rejects.toMatchObject({
    code: 'PRECONDITION_FAILED',
  })
  expect([await managed.delete('billing'), await managed.delete('billing')]).toEqual([true, false])
  expect(managed.list()).toEqual([])
})

it('shows the changes of another process, and one that cannot be opened as an error', async () => {
  const { store, managed: one } = await openAll()
  const { managed: other, onError } = await openAll({ store })
  const { managed: without, onError: onUnreadable } = await openAll({
    ...{ store, cipher: createSecretCipher(keys.slice(1)) },
  })
  await one.create(declare('billing'), 'one')
  await other.refresh()
  expect(other.list().map(({ name }) => name)).toEqual(['billing'])
  expect(onError).not.toHaveBeenCalled()
  await without.refresh()
  expect(without.list()).toEqual([])
  expect(onUnreadable).toHaveBeenCalledOnce()
})

it('opens a destination again that another process deleted and created between two reads', async () => {
  const { store, managed: one } = await openAll()
  const { managed: other, open } = await openAll({ store })
  await one.create(declare('billing'), 'one')
  await other.refresh()
  await one.delete('billing')
  await one.create(declare('billing', 'https://b.example.com'), 'two')
  await other.refresh()
  expect(open.mock.lastCall).toEqual([declare('billing', 'https://b.example.com'), ['two']])
})

it('applies changes that run at the same time one after another', async () => {
  const { managed } = await openAll()
  await managed.create(declare('billing'), 'one')
  await Promise.all([
    managed.update('billing', (declaration) => ({ ...declaration, concurrency: 3 })),
    managed.update('billing', (declaration) => ({ ...declaration, query: true })),
  ])
  expect(await managed.get('billing')).toMatchObject({ declaration: { concurrency: 3, query: true } })
})

it('stores neither the address nor a secret as plain text, and encrypts with the newest key', async () => {
  const { store, managed: one } = await openAll()
  await one.create(declare('billing'), 'a plain secret')
  const [before] = await store.list()
  expect(before?.sealed).not.toMatch(/the-key|plain/)
  const ring = createSecretCipher(keys.toReversed())
  expect([await reencryptDestinations(store, ring), await reencryptDestinations(store, ring)]).toEqual([1, 0])
  const { managed: newest } = await openAll({ store, cipher: createSecretCipher(keys.slice(1)) })
  expect(newest.list().map(({ name }) => name)).toEqual(['billing'])
})
