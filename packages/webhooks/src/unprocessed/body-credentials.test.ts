import { expect, it, vi } from 'vitest'
import { encodeBody, receivedAt, secret } from '../../test/doorbell.ts'
import { createSecretCipher } from '../endpoints/index.ts'
import {
  bodyToken,
  createSecretKeeper,
  defineService,
  staticSecrets,
  type RecordingGateway,
} from '../index.ts'
import type { UnprocessedRequest } from '../gateway/gateway-contract.ts'
import { createUnprocessedDiagnoser } from './diagnoser.ts'
import { createUnprocessedKeeper } from './keeper.ts'
import { createUnprocessedReplayer } from './replayer.ts'
import { createMemoryUnprocessedStore } from './memory-store.ts'

const provider = defineService({ name: 'phone', signature: bodyToken('token'), kind: 'event', id: 'id' })
const cipher = createSecretCipher([new Uint8Array(32).fill(1)])
const received = encodeBody({ event: 'call', token: secret, id: '1' })

/** Keeps a delivery, and reads it from the store. */
async function keep(body: Uint8Array, changes: Partial<UnprocessedRequest> = {}, bodyBytes = 1000) {
  const store = createMemoryUnprocessedStore()
  const keeper = createUnprocessedKeeper({
    store,
    cipher,
    keepForMs: 60_000,
    bodyBytes,
    now: () => receivedAt,
  })
  keeper.keep({
    ...{ id: 'one', provider, endpoint: undefined, outcome: 'refused', status: 401, body, receivedAt },
    ...{ method: 'POST', headers: new Headers(), url: undefined, address: undefined },
    ...changes,
  })
  await keeper.flush()
  const record = await store.get('one')
  return { store, record, text: new TextDecoder().decode(record?.body) }
}

it('keeps a refused body without the credential inside', async () => {
  const { record, text } = await keep(received)
  expect(JSON.parse(text)).toEqual({ event: 'call', token: '[redacted]', id: '1' })
  expect(record?.bodyBytes).toBe(record?.body.length)
  expect(JSON.stringify(record)).not.toContain(secret)
})

it.each([`${JSON.stringify({ token: secret })},`, `token=${secret}`, `{"token":"${secret}`])(
  'keeps nothing of a refused body that cannot be read: %s',
  async (text) => {
    expect((await keep(encodeBody(text))).record?.body).toHaveLength(0)
  },
)

it('redacts a long body before it is cut', async () => {
  const { record, text } = await keep(encodeBody({ token: secret, text: 'x'.repeat(1000) }), {}, 100)
  expect(text).toMatch(/^\{"token":"\[redacted\]","text":"x{70,}$/)
  expect(record!.body.length).toBeLessThan(record!.bodyBytes)
})

it('does not keep a long credential', async () => {
  const { record, text } = await keep(encodeBody({ token: 'x'.repeat(1000) }), {}, 100)
  expect(text).toBe('{"token":"[redacted]"}')
  expect(record).toMatchObject({ bodyBytes: 1012 })
  expect(record!.proof!.length).toBeLessThan(200)
})

it('processes the received body again', async () => {
  const { store } = await keep(received)
  const reprocess = vi.fn<RecordingGateway['reprocess']>(() =>
    Promise.resolve({ outcome: 'refused' } as never),
  )
  await createUnprocessedReplayer({ store, cipher, gateway: { reprocess } })('one')
  expect(reprocess.mock.calls[0]![0].body).toEqual(new Uint8Array(received))
})

it('diagnoses the received body', async () => {
  const { store } = await keep(received)
  const secrets = createSecretKeeper(staticSecrets({ phone: [secret] }))
  const diagnose = createUnprocessedDiagnoser({ store, cipher, providers: [provider], secrets })
  expect(await diagnose('one')).toMatchObject({ verified: true })
})

it('keeps an ignored body as it was verified', async () => {
  const body = encodeBody({ event: 'other', token: 'data of the event' })
  const { text } = await keep(body, { outcome: 'ignored', kind: 'other', status: 200 })
  expect(text).toContain('data of the event')
})
