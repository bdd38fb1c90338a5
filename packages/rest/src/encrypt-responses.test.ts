import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { SallyportError } from '@sallyport/errors'
import { expect, it } from 'vitest'
import { encryptResponses } from './encrypt-responses.ts'
import type { IdempotencyStore, StoredResponse } from './idempotency-store.ts'
import { createIdempotency, type IdempotentRequest } from './idempotency.ts'
import { createMemoryIdempotencyStore } from './memory-idempotency-store.ts'

const key = randomBytes(32)
const cipher = {
  encrypt(text: string, context: string) {
    const iv = randomBytes(12)
    const aes = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(context))
    return Buffer.concat([iv, aes.update(text), aes.final(), aes.getAuthTag()]).toString('base64')
  },
  decrypt(encrypted: string, context: string) {
    const bytes = Buffer.from(encrypted, 'base64')
    const aes = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12))
      .setAAD(Buffer.from(context))
      .setAuthTag(bytes.subarray(-16))
    return aes.update(bytes.subarray(12, -16), undefined, 'utf8') + aes.final('utf8')
  },
}

const request: IdempotentRequest = {
  idempotencyKey: 'key-1',
  scope: 'user-1',
  method: 'POST',
  path: '/endpoints',
  body: '{}',
}
const created: StoredResponse = {
  status: 201,
  headers: { Location: '/endpoints/1' },
  body: '{"data":{"secret":"s3cr3t"}}',
}

function setUp() {
  const memory = createMemoryIdempotencyStore()
  const saved: StoredResponse[] = []
  const store: IdempotencyStore = {
    ...memory,
    complete(completion) {
      saved.push(completion.response)
      return memory.complete(completion)
    },
  }
  const idempotent = createIdempotency({ store, keys: ['k'.repeat(32)] })
  return { store, saved, runner: encryptResponses(idempotent, cipher) }
}

it('saves an encrypted body, and returns the readable body each time', async () => {
  const { runner, saved } = setUp()
  expect(await runner(request, () => Promise.resolve(created))).toEqual({
    response: created,
    replayed: false,
  })
  const again = await runner(request, () => Promise.reject(new Error('runs twice')))
  expect(again).toEqual({ response: created, replayed: true })
  expect(saved).toHaveLength(1)
  expect(saved[0]).toMatchObject({ status: 201, headers: created.headers })
  expect(saved[0]?.body).not.toContain('s3cr3t')
})

it('encrypts a response that the handler saves in its transaction, once', async () => {
  const { runner, store, saved } = setUp()
  const first = await runner(request, async (save) => {
    await save(created, store)
    return created
  })
  expect(first).toEqual({ response: created, replayed: false })
  expect(saved.map(({ body }) => body?.includes('s3cr3t'))).toEqual([false])
  const again = await runner(request, () => Promise.reject(new Error('runs twice')))
  expect(again).toEqual({ response: created, replayed: true })
})

it.each([
  { ...created, status: 409, body: '{"error":{"code":"CONFLICT","message":"x"}}' },
  { status: 204, headers: {}, body: null },
])('saves a response without a secret as it is: $status', async (response) => {
  const { runner, saved } = setUp()
  await runner(request, () => Promise.resolve(response))
  expect(saved).toEqual([response])
  expect(await runner(request, () => Promise.reject(new Error('runs twice')))).toEqual({
    response,
    replayed: true,
  })
})

it('refuses the saved body of another request', async () => {
  const { runner, saved } = setUp()
  await runner(request, () => Promise.resolve(created))
  const other = encryptResponses(
    () => Promise.resolve({ response: saved[0] ?? created, replayed: true }),
    cipher,
  )
  await expect(other({ ...request, scope: 'user-2' }, () => Promise.resolve(created))).rejects.toThrow()
  expect((await other(request, () => Promise.resolve(created))).response).toEqual(created)
})

it('releases the key after an error', async () => {
  const { runner } = setUp()
  const failure = new SallyportError('SERVICE_UNAVAILABLE', 'Try again')
  await expect(runner(request, () => Promise.reject(failure))).rejects.toBe(failure)
  expect((await runner(request, () => Promise.resolve(created))).replayed).toBe(false)
})
