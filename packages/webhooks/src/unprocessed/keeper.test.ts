import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { doorbell, encodeBody, openGateway, receivedAt, rung, signBody } from '../../test/doorbell.ts'
import { createSecretCipher } from '../endpoints/index.ts'
import { createMemoryFailureLimiter } from '../index.ts'
import type { UnprocessedRequest } from '../gateway/gateway-contract.ts'
import type { UnprocessedRecord } from './index.ts'
import { createUnprocessedKeeper, type UnprocessedKeeperOptions } from './keeper.ts'
import { createMemoryUnprocessedStore } from './memory-store.ts'

const cipher = createSecretCipher([new Uint8Array(32).fill(1)])
const polished = encodeBody({ kind: 'polished', id: '1' })
/** Blocks no address, so that only the limits of the keeper apply. */
const limiter = { check: () => 0, fail: () => 0 }

function openKeeper(options: Partial<UnprocessedKeeperOptions> = {}) {
  const store = createMemoryUnprocessedStore()
  const dropped: Record<string, number> = {}
  const errors: unknown[] = []
  const keeper = createUnprocessedKeeper({
    store,
    cipher,
    keepForMs: 60 * 60 * 1000,
    now: () => receivedAt,
    onDropped: (outcome, cause) =>
      (dropped[`${outcome} ${cause}`] = (dropped[`${outcome} ${cause}`] ?? 0) + 1),
    onError: (error) => errors.push(error),
    ...options,
  })
  const opened = openGateway({ onUnprocessed: keeper.keep, limiter })
  const list = async () => {
    await keeper.flush()
    const kept = await store.list({ limit: 100_000 })
    return (await Promise.all(kept.map(({ id }) => store.get(id)))) as UnprocessedRecord[]
  }
  return { ...opened, store, keeper, dropped, errors, list }
}

describe('createUnprocessedKeeper', () => {
  it('keeps an ignored delivery with its kind, and without its signature', async () => {
    const { deliver, list } = openKeeper()
    const headers = { 'x-kind': 'a', authorization: 'Bearer private' }
    expect((await deliver({ body: polished, headers })).said).toBe('ignored')
    const [kept] = await list()
    expect(kept).toMatchObject({
      outcome: 'ignored',
      provider: 'doorbell',
      status: 200,
      receivedAt,
      headers: { 'x-kind': 'a', 'x-signature': '[redacted]', authorization: '[redacted]' },
      body: polished,
      bodyBytes: polished.length,
    })
    expect(kept).not.toHaveProperty('proof')
    expect(JSON.stringify(kept)).not.toContain('private')
  })

  it('finds a refused delivery by the ids of the service and by search paths', async () => {
    const { send, list, store } = openKeeper({ searchPaths: { doorbell: ['buyer.email'] }, bodyBytes: 100 })
    const headers = { 'x-doorbell-delivery': 'd-17', 'x-signature': 'sha256=00' }
    const body = encodeBody({ buyer: { email: 'ann@example.com' } })
    await send({ body, headers })
    await send({ body: encodeBody({ buyer: { email: 'ann@example.com' }, more: 'x'.repeat(100) }), headers })
    await send({ body: encodeBody('no JSON {') })
    expect(await list()).toHaveLength(3)
    const count = (value: string) => store.count({ value })
    expect(await Promise.all(['d-17', 'sha256=00'].map(count))).toEqual([2, 0])
    // A body that was cut has no paths.
    expect(await count('ann@example.com')).toBe(1)
  })

  it('keeps a refused delivery with an encrypted signature', async () => {
    const { deliver, list } = openKeeper()
    expect((await deliver({ secret: 'another secret' })).status).toBe(401)
    const [kept] = await list()
    expect(kept).toMatchObject({ outcome: 'refused', reason: 'mismatch', status: 401, body: rung() })
    const signature = (await signBody(rung(), 'another secret'))['x-signature'] ?? ''
    expect(JSON.stringify(kept)).not.toContain(signature.slice(10, 20))
    expect(await cipher.decrypt(kept?.proof ?? '', `unprocessed delivery ${kept?.id ?? ''}`)).toContain(
      signature,
    )
  })

  it('keeps no recorded delivery, and no other refusal', async () => {
    const { deliver, send, list } = openKeeper()
    await deliver()
    await deliver()
    await deliver({ body: encodeBody({ kind: 'broken', id: '1' }) })
    await send({ method: 'PUT' })
    await send({ provider: 'unknown' })
    await deliver({ body: encodeBody('{') })
    expect(await list()).toEqual([])
  })

  it('keeps the deliveries of a blocked address whose body fits', async () => {
    const { keeper, store } = openKeeper()
    const { send, deliver } = openGateway({
      onUnprocessed: keeper.keep,
      keepsBlocked: true,
      limiter: createMemoryFailureLimiter({ failures: 2 }),
    })
    for (let request = 0; request < 3; request++) await send()
    expect((await deliver()).status).toBe(429)
    expect((await send({ body: new Uint8Array(300_000) })).status).toBe(429)
    expect((await send({ method: 'PUT' })).status).toBe(429)
    expect((await send({ provider: 'unknown' })).status).toBe(429)
    await keeper.flush()
    const kept = await store.list({ order: 'oldest', limit: 10 })
    expect(kept.map(({ reason }) => reason).sort()).toEqual(['blocked', 'blocked', 'missing', 'missing'])
    expect(await store.count({ reason: 'blocked' })).toBe(2)
  })

  it('cuts a long body, and holds no reference to it', async () => {
    const { deliver, list } = openKeeper({ bodyBytes: 10 })
    await deliver({ body: polished })
    const [kept] = await list()
    expect(kept).toMatchObject({ body: polished.slice(0, 10), bodyBytes: polished.length })
    expect(kept?.body.buffer.byteLength).toBe(10)
  })

  it('keeps all refused deliveries of an hour with a wrong secret', async () => {
    const { deliver, dropped, list, keeper } = openKeeper()
    for (let minute = 0; minute < 60; minute++) {
      for (let request = 0; request < 20; request++) await deliver({ secret: 'the old secret' })
      await keeper.flush()
    }
    expect([(await list()).length, dropped]).toEqual([1200, {}])
  })

  it('keeps genuine deliveries through a flood of large forgeries from changing addresses', async () => {
    let at = receivedAt
    const { keeper, store, dropped } = openKeeper({ now: () => at })
    const create = (id: string, address: string, bytes: number): UnprocessedRequest => ({
      ...{ id, provider: doorbell, endpoint: undefined, outcome: 'refused', reason: 'mismatch', status: 401 },
      ...{ method: 'POST', headers: new Headers(), url: undefined, address, receivedAt: at },
      body: new Uint8Array(bytes),
    })
    for (let index = 0; index < 40; index++) keeper.keep(create(`genuine-${index}`, '192.0.2.1', 3000))
    await keeper.flush()
    for (let second = 0; second < 15; second++) {
      for (let index = 0; index < 100; index++) {
        const host = second * 100 + index
        keeper.keep(create(`forged-${host}`, `198.51.${host >> 8}.${host & 255}`, 200 * 1024))
      }
      at += 1000
      await keeper.flush()
    }
    at += 60_000
    await keeper.flush()
    const kept = await store.list({ limit: 10_000 })
    expect(kept.filter(({ id }) => id.startsWith('genuine'))).toHaveLength(40)
    expect(dropped['refused queue']).toBeGreaterThan(1000)
    expect(kept.reduce((sum, { bodyBytes }) => sum + bodyBytes, 0)).toBeLessThan(50 * 1024 ** 2)
  })

  it('keeps a genuine delivery whose write waits together with large forgeries', async () => {
    const { send, deliver, list } = openKeeper({ pendingBytes: 5000 })
    for (let host = 0; host < 50; host++)
      await send({ address: `198.51.100.${host}`, body: new Uint8Array(2000) })
    await deliver({ secret: 'the old secret' })
    for (let host = 50; host < 99; host++)
      await send({ address: `198.51.100.${host}`, body: new Uint8Array(2000) })
    expect((await list()).map(({ bodyBytes }) => bodyBytes)).toContain(rung().length)
  })

  it('drops the client and the provider with the most deliveries, however small they are', async () => {
    const { keeper, list, dropped } = openKeeper({ pending: 10 })
    const refused = (address: string, id: string, endpoint?: string): UnprocessedRequest => ({
      ...{ id, provider: doorbell, endpoint, outcome: 'refused', status: 401, receivedAt, address },
      ...{ method: 'POST', headers: new Headers(), body: rung(), url: undefined },
    })
    const large = { body: new Uint8Array(5000) }
    for (const id of ['a', 'b']) keeper.keep({ ...refused('192.0.2.1', id), ...large })
    for (const id of ['c', 'd']) keeper.keep({ ...refused('192.0.2.2', id, 'acme'), ...large })
    for (let id = 0; id < 20; id++) keeper.keep(refused('198.51.100.1', `tiny${id}`))
    const listIds = async () => (await list()).map(({ id }) => id)
    expect(await listIds()).toEqual(expect.arrayContaining(['a', 'b', 'c', 'd']))
    for (const id of ['e', 'f']) keeper.keep({ ...refused('192.0.2.2', id, 'acme'), ...large })
    for (let id = 0; id < 20; id++) keeper.keep(refused(`203.0.113.${id}`, `flood${id}`))
    expect(await listIds()).toEqual(expect.arrayContaining(['e', 'f']))
    expect(dropped).toEqual({ 'refused queue': 26 })
  })

  it('drops deliveries while the queue is full', async () => {
    const { deliver, dropped, list } = openKeeper({ pending: 5 })
    for (let id = 0; id < 8; id++) await deliver({ body: encodeBody({ kind: 'polished', id }) })
    expect(dropped).toEqual({ 'ignored queue': 3 })
    expect(await list()).toHaveLength(5)
    await deliver({ body: polished })
    expect(await list()).toHaveLength(6)
  })

  it('answers at once while the store hangs, and bounds the memory', async () => {
    const { keeper, deliver, dropped } = openKeeper({
      store: { add: () => new Promise(() => undefined), prune: () => Promise.resolve(0) },
      pendingBytes: 2000,
    })
    void keeper.flush()
    const body = encodeBody({ kind: 'polished', id: 'x'.repeat(500) })
    for (let id = 0; id < 50; id++) {
      expect((await deliver({ body })).said).toBe('ignored')
      void keeper.flush()
    }
    // One batch is in the store, and one batch waits.
    expect(dropped['ignored queue']).toBeGreaterThanOrEqual(44)
    expect((await deliver()).said).toBe('accepted')
  })

  it('counts the addresses of waiting deliveries', async () => {
    const { keeper, dropped } = openKeeper({ pendingBytes: 2000 })
    const refused: UnprocessedRequest = {
      ...{ id: 'one', provider: doorbell, endpoint: undefined, outcome: 'refused', status: 401, receivedAt },
      ...{ method: 'POST', headers: new Headers(), body: rung(), url: undefined, address: undefined },
      alternativeUrls: ['a', 'b'].map((value) => `https://hooks.example/?${value.repeat(1000)}`),
    }
    keeper.keep(refused)
    keeper.keep({ ...refused, id: 'two' })
    await keeper.flush()
    expect(dropped).toEqual({ 'refused queue': 1 })
  })

  it('drops and reports a batch that the store rejects', async () => {
    const { keeper, deliver, dropped, errors } = openKeeper({
      store: { add: () => Promise.reject(new Error('unavailable')), prune: () => Promise.resolve(0) },
    })
    await deliver({ body: polished })
    await keeper.flush()
    expect([dropped, errors.length]).toEqual([{ 'ignored store': 1 }, 1])
  })

  it('deletes expired deliveries', async () => {
    let at = receivedAt
    const { keeper, deliver, store } = openKeeper({ now: () => at })
    await deliver({ body: polished })
    await keeper.flush()
    at += 60 * 60 * 1000 + 1
    await keeper.flush()
    expect(await store.count({})).toBe(0)
  })

  it('never exceeds its limits by more than a twentieth and a batch, for any flood', async () => {
    const request = fc.record({
      isSigned: fc.boolean(),
      size: fc.nat(3000),
      address: fc.nat(255),
    })
    const bytes = 50_000
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(request, { maxLength: 30 }), { maxLength: 30 }), async (batches) => {
        const { keeper, store, send, deliver, dropped } = openKeeper({
          bytes,
          deliveries: 40,
          bodyBytes: 1000,
          pendingBytes: 5000,
        })
        let sent = 0
        for (const batch of batches) {
          for (const { isSigned, size, address } of batch) {
            const body = encodeBody({ kind: 'polished', id: 'x'.repeat(size) })
            await (isSigned ? deliver : send)({ body, address: `198.51.100.${address}` })
            sent++
          }
          await keeper.flush()
          for (const outcome of ['ignored', 'refused'] as const) {
            const kept = await store.list({ outcome, limit: 1000 })
            const records = await Promise.all(kept.map(({ id }) => store.get(id)))
            const size = records.reduce((sum, record) => sum + (record?.storedBytes ?? 0), 0)
            expect(size).toBeLessThanOrEqual(bytes * 1.05 + 5000 + 2000)
          }
        }
        const counted = Object.values(dropped).reduce((sum, count) => sum + count, 0)
        expect(counted).toBeLessThanOrEqual(sent)
      }),
      { numRuns: 30 },
    )
  })

  it('rejects limits out of range', () => {
    expect(() => openKeeper({ keepForMs: 0 })).toThrow(TypeError)
    expect(() => openKeeper({ bytes: -1 })).toThrow(TypeError)
  })
})
