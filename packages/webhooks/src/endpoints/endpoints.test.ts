import { testStores } from '@sallyport/testing'
import { describe, expect, it } from 'vitest'
import { defineService } from '../provider/service.ts'
import { standardWebhooks } from '../schemes/standard-webhooks.ts'
import { createEndpoints } from './index.ts'
import { createMemoryEndpointStore } from './memory-store.ts'
import type { EndpointsOptions } from './endpoints.ts'
import { createSecretCipher, parseEncryptionKeys } from './secret-cipher.ts'

const key = (byte: number) => new Uint8Array(32).fill(byte)

testStores({ describe, expect, it }, { endpoints: () => createMemoryEndpointStore() })

function open(options: Partial<EndpointsOptions> = {}) {
  const clock = { now: 1_700_000_000_000, ticks: 0 }
  const inner = options.store ?? createMemoryEndpointStore()
  const queries = { get: [] as (readonly string[])[], changes: 0 }
  const store = {
    ...inner,
    get(ids: readonly string[]) {
      queries.get.push(ids)
      return inner.get(ids)
    },
    changes(query: Parameters<typeof inner.changes>[0]) {
      queries.changes++
      return inner.changes(query)
    },
  }
  const endpoints = createEndpoints({
    cipher: createSecretCipher([key(1)]),
    now: () => clock.now,
    monotonicNow: () => clock.ticks,
    ...options,
    store,
  })
  return { endpoints, store: inner, queries, clock }
}

const signed = defineService({ name: 'signed', signature: standardWebhooks(), kind: 'type' })
const sending = defineService({
  ...{ name: 'sending', signature: standardWebhooks(), kind: 'type' },
  handshake: { methods: ['POST'], establishesSecret: true, answer: () => undefined },
})

const acme = { id: 'acme', provider: 'doorbell', name: 'Acme', secret: 'the secret of acme' }

describe('endpoints', () => {
  it('return no secret, and find it for the gateway', async () => {
    const { endpoints, clock } = open()
    const created = await endpoints.create(acme)
    expect(created).toEqual({
      id: 'acme',
      provider: 'doorbell',
      name: 'Acme',
      status: 'active',
      secrets: [{ id: created.secrets[0]?.id, createdAt: clock.now }],
      labels: {},
      options: {},
      version: 1,
      createdAt: clock.now,
      updatedAt: clock.now,
    })
    const listed = [await endpoints.get('acme'), ...(await endpoints.list({ limit: 10 }))]
    expect(JSON.stringify(listed)).not.toMatch(/the secret of acme|v1\./)
    expect(await endpoints.find('acme')).toEqual({
      id: 'acme',
      provider: 'doorbell',
      status: 'active',
      options: {},
      secrets: ['the secret of acme'],
    })
  })

  it('create unguessable ids', async () => {
    const { endpoints } = open()
    const { id } = await endpoints.create({ provider: 'doorbell', name: 'Acme' })
    expect(id).toMatch(/^[0-9A-Za-z]{22}$/)
  })

  it.each(['', 'a/b', 'ä', 'a'.repeat(65)])('refuse the id %j', async (id) => {
    await expect(open().endpoints.create({ ...acme, id })).rejects.toBeInstanceOf(TypeError)
  })

  it('refuse a malformed pattern of kinds', async () => {
    const { endpoints } = open()
    const options = { only: ['push *'] }
    await expect(endpoints.create({ ...acme, options })).rejects.toBeInstanceOf(TypeError)
    await endpoints.create(acme)
    await expect(endpoints.update('acme', { options })).rejects.toBeInstanceOf(TypeError)
  })

  it('are read together by their ids', async () => {
    const { endpoints, queries } = open()
    for (const id of ['acme', 'globex']) await endpoints.create({ ...acme, id })
    queries.get.length = 0
    const found = await endpoints.getMany(['acme', 'globex', 'unknown', 'a/b'])
    expect(found.map(({ id }) => id).sort()).toEqual(['acme', 'globex'])
    expect(JSON.stringify(found)).not.toContain('v1.')
    expect(queries.get).toEqual([['acme', 'globex', 'unknown']])
    expect(await endpoints.getMany([])).toEqual([])
  })

  it('refuse an unknown provider and a secret that the provider cannot use', async () => {
    const { endpoints } = open({ providers: [signed, sending] })
    for (const [field, changed] of [
      ['provider', { provider: 'door-bell' }],
      ['secret', { provider: 'signed', secret: 'malformed' }],
      ['secret', { provider: 'signed', secret: ' \n' }],
    ] as const)
      await expect(endpoints.create({ ...acme, ...changed })).rejects.toMatchObject({
        ...{ status: 400, code: 'VALIDATION_ERROR', details: [{ field }] },
      })
    await endpoints.create({ ...acme, provider: 'signed', secret: signed.signature.createSecret?.() })
    await expect(endpoints.addSecret('acme', 'malformed')).rejects.toMatchObject({ status: 400 })
    expect((await endpoints.get('acme'))?.secrets).toHaveLength(1)
  })

  it('refuse a secret of white space without providers', async () => {
    const { endpoints } = open()
    await expect(endpoints.create({ ...acme, secret: ' ' })).rejects.toMatchObject({ status: 400 })
    await endpoints.create(acme)
    await expect(endpoints.addSecret('acme', '\t')).rejects.toMatchObject({ status: 400 })
  })

  it('invent no secret, and wait for the handshake of a service that sends one', async () => {
    const { endpoints, clock } = open({ providers: [signed, sending] })
    const waiting = await endpoints.create({ provider: 'sending', name: 'Acme' })
    expect([waiting.secrets, waiting.handshakeUntil]).toEqual([[], clock.now + 3_600_000])
    const other = await endpoints.create({ provider: 'signed', name: 'Acme' })
    expect([other.secrets, other.handshakeUntil]).toEqual([[], undefined])
  })

  it('refuse an id that is in use or belonged to a deleted endpoint', async () => {
    const { endpoints } = open()
    await endpoints.create(acme)
    await expect(endpoints.create(acme)).rejects.toMatchObject({ code: 'CONFLICT' })
    await endpoints.delete('acme')
    await expect(endpoints.create(acme)).rejects.toMatchObject({ code: 'CONFLICT' })
  })

  it('accept both secrets of a rotation until the old one is removed', async () => {
    const { endpoints } = open()
    const { secrets } = await endpoints.create(acme)
    await endpoints.find('acme')
    await endpoints.addSecret('acme', 'the new secret')
    expect(await endpoints.find('acme')).toMatchObject({ secrets: ['the new secret', 'the secret of acme'] })
    expect(await endpoints.removeSecret('acme', secrets[0]?.id ?? '')).toBe(true)
    expect(await endpoints.removeSecret('acme', secrets[0]?.id ?? '')).toBe(false)
    expect(await endpoints.find('acme')).toMatchObject({ secrets: ['the new secret'] })
  })

  it('lose no secret of concurrent rotations', async () => {
    const { endpoints } = open()
    await endpoints.create(acme)
    await Promise.all(['a', 'b', 'c'].map((secret) => endpoints.addSecret('acme', secret)))
    const { secrets } = (await endpoints.find('acme')) ?? { secrets: [] }
    expect([...secrets].sort()).toEqual(['a', 'b', 'c', 'the secret of acme'])
  })

  it('limit the number of secrets', async () => {
    const { endpoints } = open()
    await endpoints.create(acme)
    for (let count = 1; count < 10; count++) await endpoints.addSecret('acme', 'more')
    await expect(endpoints.addSecret('acme', 'one too many')).rejects.toMatchObject({ code: 'CONFLICT' })
  })

  it('establish the secret of a handshake once', async () => {
    const { endpoints } = open()
    await endpoints.create({ id: 'new', provider: 'doorbell', name: 'New', awaitsHandshake: true })
    const established = await Promise.all(
      ['a', 'b'].map((secret) => endpoints.establishSecret('new', secret)),
    )
    expect(established.filter(Boolean)).toEqual([true])
    expect((await endpoints.find('new'))?.secrets).toHaveLength(1)
    expect(await endpoints.establishSecret('unknown', 'a')).toBe(false)
    const [secret = ''] = (await endpoints.find('new'))?.secrets ?? []
    expect(await endpoints.establishSecret('new', secret)).toBe(true)
  })

  it('return a secret of a handshake to one of several readers', async () => {
    const { endpoints } = open()
    await endpoints.create({ id: 'new', provider: 'doorbell', name: 'New', awaitsHandshake: true })
    expect(await endpoints.takeSecret('new')).toBeUndefined()
    await endpoints.establishSecret('new', 'token', { isReadOnce: true })
    const [established] = (await endpoints.get('new'))?.secrets ?? []
    expect(established).toMatchObject({ isReadable: true })
    await endpoints.addSecret('new', 'by hand')
    const taken = await Promise.all(['a', 'b', 'c'].map(() => endpoints.takeSecret('new')))
    expect(taken.filter((one) => one !== undefined)).toEqual([{ secretId: established?.id, secret: 'token' }])
    expect(await endpoints.takeSecret('new')).toBeUndefined()
    expect((await endpoints.get('new'))?.secrets[1]).toEqual({
      id: established?.id,
      createdAt: established?.createdAt,
    })
    expect(await endpoints.find('new')).toMatchObject({ secrets: ['by hand', 'token'] })
  })

  it('return no secret of a handshake that needs no reader, and none of an operator', async () => {
    const { endpoints } = open()
    await endpoints.create({ id: 'new', provider: 'doorbell', name: 'New', awaitsHandshake: true })
    await endpoints.establishSecret('new', 'token')
    await endpoints.create(acme)
    for (const id of ['new', 'acme', 'unknown']) expect(await endpoints.takeSecret(id)).toBeUndefined()
  })

  it('keep a secret readable until it is decrypted and its reader has saved it', async () => {
    const { endpoints, store } = open()
    await endpoints.create({ id: 'new', provider: 'doorbell', name: 'New', awaitsHandshake: true })
    await endpoints.establishSecret('new', 'token', { isReadOnce: true })
    const { endpoints: withoutKey } = open({ store, cipher: createSecretCipher([key(2)]) })
    await expect(withoutKey.takeSecret('new')).rejects.toThrow('key')
    const save = () => Promise.reject(new Error('not saved'))
    await expect(endpoints.takeSecret('new', { save })).rejects.toThrow('not saved')
    expect(await endpoints.takeSecret('new')).toMatchObject({ secret: 'token' })
  })

  it('keep a secret readable after a new key encrypts it', async () => {
    const { endpoints, store } = open()
    await endpoints.create({ id: 'new', provider: 'doorbell', name: 'New', awaitsHandshake: true })
    await endpoints.establishSecret('new', 'token', { isReadOnce: true })
    const { endpoints: renewed } = open({ store, cipher: createSecretCipher([key(2), key(1)]) })
    expect(await renewed.reencrypt()).toBe(1)
    expect(await renewed.takeSecret('new')).toMatchObject({ secret: 'token' })
  })

  // Regression: after the secret was removed, the handshake of anyone established another secret.
  it('wait for no handshake when they are created with a secret', async () => {
    const { endpoints } = open()
    const { secrets, handshakeUntil } = await endpoints.create({ ...acme, awaitsHandshake: true })
    expect(handshakeUntil).toBeUndefined()
    await endpoints.removeSecret('acme', secrets[0]?.id ?? '')
    expect(await endpoints.establishSecret('acme', 'forged')).toBe(false)
  })

  it('answer a handshake with secrets only on request, and store no other secret', async () => {
    const { endpoints } = open()
    const { secrets } = await endpoints.create(acme)
    await expect(endpoints.startHandshake('acme')).rejects.toMatchObject({ code: 'CONFLICT' })
    expect(await endpoints.establishSecret('acme', 'other')).toBe(false)
    await endpoints.startHandshake('acme', { withSecrets: true })
    expect(await endpoints.establishSecret('acme', 'other')).toBe(true)
    expect((await endpoints.find('acme'))?.secrets).toHaveLength(1)
    await endpoints.removeSecret('acme', secrets[0]?.id ?? '')
    expect(await endpoints.establishSecret('acme', 'forged')).toBe(false)
    await endpoints.startHandshake('acme')
    await endpoints.addSecret('acme', 'by hand')
    expect(await endpoints.establishSecret('acme', 'other')).toBe(false)
  })

  // Regression: the secret stayed, so that the repeated handshake was never reported.
  it('report the repeated handshake after a report failed', async () => {
    const reports = [() => Promise.reject(new Error('no audit')), () => Promise.resolve()]
    const reported: unknown[] = []
    const { endpoints } = open({
      onHandshake: (one) => {
        reported.push(one)
        return reports.shift()?.()
      },
    })
    await endpoints.create({ id: 'new', provider: 'doorbell', name: 'New', awaitsHandshake: true })
    await expect(endpoints.establishSecret('new', 'a')).rejects.toThrow('no audit')
    expect((await endpoints.find('new'))?.secrets).toEqual([])
    expect(await endpoints.establishSecret('new', 'a')).toBe(true)
    expect(await endpoints.establishSecret('new', 'a')).toBe(true)
    expect(reported).toHaveLength(2)
    expect((await endpoints.find('new'))?.secrets).toEqual(['a'])
  })

  it('are deleted once during concurrent changes, and no change brings one back', async () => {
    const { endpoints } = open()
    await endpoints.create(acme)
    const deleting = Promise.all([1, 2, 3].map(async () => endpoints.delete('acme')))
    const changing = Promise.allSettled([
      endpoints.create(acme),
      endpoints.addSecret('acme', 'more'),
      endpoints.update('acme', { name: 'x' }),
    ])
    expect((await deleting).filter(Boolean)).toEqual([true])
    expect((await changing)[0]).toMatchObject({ status: 'rejected', reason: { code: 'CONFLICT' } })
    expect(await endpoints.find('acme')).toBeUndefined()
  })

  it('change only the expected version', async () => {
    const { endpoints } = open()
    await endpoints.create(acme)
    await endpoints.update('acme', { name: 'Acme Ltd' }, { version: 1 })
    await expect(endpoints.update('acme', { name: 'x' }, { version: 1 })).rejects.toMatchObject({
      code: 'PRECONDITION_FAILED',
    })
    await expect(endpoints.delete('acme', { version: 1 })).rejects.toMatchObject({
      code: 'PRECONDITION_FAILED',
    })
    expect(await endpoints.get('acme')).toMatchObject({ name: 'Acme Ltd', status: 'active', version: 2 })
    expect(await endpoints.update('unknown', { name: 'x' })).toBeUndefined()
    expect(await endpoints.delete('acme', { version: 2 })).toBe(true)
    expect(await endpoints.delete('acme')).toBe(false)
  })

  it('encrypt all secrets with the newest key on request', async () => {
    const store = createMemoryEndpointStore()
    const old = open({ store }).endpoints
    await old.create(acme)
    await old.addSecret('acme', 'another')
    await old.create({ ...acme, id: 'other' })
    const both = open({ store, cipher: createSecretCipher([key(2), key(1)]) }).endpoints
    expect(await both.reencrypt()).toBe(2)
    expect(await both.reencrypt()).toBe(0)
    const renewed = open({ store, cipher: createSecretCipher([key(2)]) }).endpoints
    expect(await renewed.find('acme')).toMatchObject({ secrets: ['another', 'the secret of acme'] })
  })

  it('verify with the readable secrets while another process uses a newer key', async () => {
    const store = createMemoryEndpointStore()
    const old = open({ store }).endpoints
    await old.create(acme)
    await open({ store, cipher: createSecretCipher([key(2), key(1)]) }).endpoints.addSecret('acme', 'newer')
    const stale = open({ store }).endpoints
    expect(await stale.find('acme')).toMatchObject({ secrets: ['the secret of acme'] })
  })

  it('names endpoints with an unreadable secret, after it encrypted the others', async () => {
    const store = createMemoryEndpointStore()
    await open({ store, cipher: createSecretCipher([key(3)]) }).endpoints.create({ ...acme, id: 'foreign' })
    await open({ store }).endpoints.create(acme)
    const both = open({ store, cipher: createSecretCipher([key(2), key(1)]) }).endpoints
    await expect(both.reencrypt()).rejects.toThrow('1 have an unreadable secret: foreign')
    const renewed = open({ store, cipher: createSecretCipher([key(2)]) }).endpoints
    expect(await renewed.find('acme')).toMatchObject({ secrets: ['the secret of acme'] })
  })

  it('are unavailable without the key of their secrets', async () => {
    const store = createMemoryEndpointStore()
    await open({ store }).endpoints.create(acme)
    const errors: unknown[] = []
    const { endpoints } = open({
      store,
      cipher: createSecretCipher([key(2)]),
      onError: (error) => errors.push(error),
    })
    await expect(endpoints.find('acme')).rejects.toThrow('No encryption key')
    expect(errors).toHaveLength(1)
    expect(await endpoints.find('unknown')).toBeUndefined()
  })
})

describe('cache of endpoints', () => {
  it('looks up a known and an unknown id once', async () => {
    const { endpoints, queries } = open()
    await endpoints.create(acme)
    await Promise.all(Array.from({ length: 10 }, async () => endpoints.find('acme')))
    await endpoints.find('unknown')
    queries.get.length = 0
    for (let count = 0; count < 10; count++) {
      expect(endpoints.find('acme')).toMatchObject({ id: 'acme' })
      expect(endpoints.find('unknown')).toBeUndefined()
    }
    expect(queries.get).toEqual([])
  })

  it('looks up many unknown ids in few queries', async () => {
    const { endpoints, queries } = open()
    await endpoints.find('first')
    queries.get.length = 0
    const found = await Promise.all(
      Array.from({ length: 5000 }, async (_, id) => endpoints.find(`random-${id}`)),
    )
    expect(found.every((one) => one === undefined)).toBe(true)
    expect(queries.get.length).toBe(10)
  })

  it('keeps a bounded number of entries, and unknown ids displace no endpoint', async () => {
    const { endpoints, queries } = open({ size: 2, unknownSize: 3 })
    for (const id of ['a', 'b', 'c']) {
      await endpoints.create({ ...acme, id })
      await endpoints.find(id)
    }
    for (let id = 0; id < 100; id++) await endpoints.find(`random-${id}`)
    queries.get.length = 0
    for (const id of ['c', 'b', 'random-99', 'random-97']) void endpoints.find(id)
    expect(queries.get).toEqual([])
    await endpoints.find('a')
    await endpoints.find('random-0')
    expect(queries.get).toEqual([['a'], ['random-0']])
  })

  it('refuses lookups while 10,000 others wait', async () => {
    const store = createMemoryEndpointStore()
    const { endpoints } = open({ store })
    await endpoints.find('first')
    store.get = () => new Promise(() => undefined)
    for (let id = 0; id < 10_000; id++) void endpoints.find(`random-${id}`)
    expect(() => endpoints.find('more')).toThrow(expect.objectContaining({ code: 'OVERLOADED', status: 503 }))
  })

  it('does not keep the result of a lookup that a change outdated', async () => {
    const store = createMemoryEndpointStore()
    const writer = open({ store }).endpoints
    await writer.create(acme)
    let release = (): void => undefined
    const { endpoints, clock } = open({
      store: {
        ...store,
        async get(ids) {
          const found = await store.get(ids)
          if (ids.includes('acme')) await new Promise<void>((resolve) => (release = resolve))
          return found
        },
      },
    })
    await endpoints.find('unknown')
    const early = endpoints.find('acme')
    await new Promise((resolve) => setImmediate(resolve))
    await writer.update('acme', { status: 'disabled' })
    clock.ticks += 2000
    await endpoints.find('unknown')
    release()
    expect(await early).toMatchObject({ status: 'active' })
    const late = endpoints.find('acme')
    await new Promise((resolve) => setImmediate(resolve))
    release()
    expect(await late).toMatchObject({ status: 'disabled' })
  })

  it('reads the changes at most twice in the allowed time', async () => {
    const { endpoints, queries, clock } = open({ maxStaleMs: 2000 })
    await endpoints.create(acme)
    for (clock.ticks = 0; clock.ticks < 10_000; clock.ticks += 100) {
      await endpoints.find('acme')
      await Promise.resolve()
    }
    expect(queries.changes).toBeLessThanOrEqual(11)
    expect(queries.changes).toBeGreaterThanOrEqual(9)
  })

  it('is unavailable when the store is unavailable for longer than the allowed time', async () => {
    const store = createMemoryEndpointStore()
    const { endpoints, clock } = open({ store })
    await endpoints.create(acme)
    await endpoints.find('acme')
    store.changes = () => Promise.reject(new Error('unavailable'))
    clock.ticks = 1999
    expect(await endpoints.find('acme')).toMatchObject({ id: 'acme' })
    clock.ticks = 2000
    await expect(endpoints.find('acme')).rejects.toThrow('unavailable')
  })
})

describe('secret cipher', () => {
  const cipher = createSecretCipher([key(2), key(1)])

  it('decrypts what one of its keys encrypted, in the same context', () => {
    for (const secret of ['', 'a secret', 'ä'.repeat(1000)]) {
      const encrypted = cipher.encrypt(secret, 'acme') as string
      expect(encrypted).not.toContain(secret || ' ')
      expect(cipher.decrypt(encrypted, 'acme')).toBe(secret)
      expect(() => cipher.decrypt(encrypted, 'other')).toThrow('belongs to another endpoint')
    }
    const old = createSecretCipher([key(1)]).encrypt('old', 'acme') as string
    expect(cipher.decrypt(old, 'acme')).toBe('old')
    expect([cipher.isCurrent(old), cipher.isCurrent(cipher.encrypt('new', 'acme') as string)]).toEqual([
      false,
      true,
    ])
  })

  it('rejects each changed or shortened ciphertext', () => {
    const encrypted = cipher.encrypt('a secret', 'acme') as string
    for (let index = 0; index < encrypted.length; index++) {
      const changed =
        encrypted.slice(0, index) + (encrypted[index] === 'A' ? 'B' : 'A') + encrypted.slice(index + 1)
      const attempt = () => cipher.decrypt(changed, 'acme')
      // The last character of base64url has unused bits.
      if (index < encrypted.length - 1) expect(attempt, changed).toThrow()
      expect(() => cipher.decrypt(encrypted.slice(0, index), 'acme')).toThrow()
    }
  })

  it('encrypts the same secret differently each time', () => {
    expect(cipher.encrypt('a', 'acme')).not.toBe(cipher.encrypt('a', 'acme'))
  })

  it.each([[[]], [[new Uint8Array(31)]], [[key(1), new Uint8Array(0)]]])('refuses the keys %j', (keys) => {
    expect(() => createSecretCipher(keys)).toThrow(TypeError)
  })
})

describe('encryption keys', () => {
  it('are parsed from base64, base64url and hexadecimal', () => {
    const bytes = Buffer.from(Array.from({ length: 32 }, (_, index) => 255 - index))
    const texts = (['base64', 'base64url', 'hex'] as const).map((encoding) => bytes.toString(encoding))
    expect(parseEncryptionKeys(texts).map((one) => Buffer.from(one).equals(bytes))).toEqual([
      true,
      true,
      true,
    ])
  })

  it.each(['', 'short', 'a'.repeat(63), Buffer.alloc(31).toString('base64'), `!${'A'.repeat(43)}`])(
    'are refused without being quoted: %j',
    (text) => {
      const attempt = () => parseEncryptionKeys([Buffer.alloc(32).toString('hex'), text])
      expect(attempt).toThrow('Encryption key 2 is not 32 bytes')
      if (text) expect(attempt).not.toThrow(text)
    },
  )
})
