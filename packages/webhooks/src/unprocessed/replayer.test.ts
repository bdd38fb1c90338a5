import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import {
  doorbell,
  encodeBody,
  openGateway,
  receivedAt,
  rung,
  secret,
  signature,
  signBody,
  type Sent,
} from '../../test/doorbell.ts'
import { createSecretCipher } from '../endpoints/index.ts'
import {
  createGateway,
  defineProvider,
  hmac,
  createMemoryInbox,
  createSecretKeeper,
  parseForm,
  standardWebhooks,
  staticSecrets,
  type AnyProvider,
  type GatewayOptions,
} from '../index.ts'
import type { GatewayEndpoint } from '../ports/ports.ts'
import { createUnprocessedKeeper } from './keeper.ts'
import { createUnprocessedReplayer } from './replayer.ts'
import { createMemoryUnprocessedStore } from './memory-store.ts'

const cipher = createSecretCipher([new Uint8Array(32).fill(1)])
const polished = encodeBody({ kind: 'polished', id: '1', door: 'front' })

/** A later version of the doorbell, which handles the kind `polished`. */
const laterDoorbell = defineProvider({
  ...doorbell,
  events: { ...doorbell.events, 'bell.polished': z.object({ door: z.string() }) },
  normalize(delivery) {
    const { kind, id, door } = delivery.payload as { kind: string; id: string; door: string }
    if (kind === 'polished') return { kind: 'bell.polished', key: [id], subject: door, data: { door } }
    return doorbell.normalize(delivery)
  },
})

/** Opens a gateway whose deliveries are kept, and a corrected gateway that replays them into the same inbox. */
function open(corrected: Partial<GatewayOptions> = {}, options: Partial<GatewayOptions> = {}) {
  const inbox = createMemoryInbox()
  const store = createMemoryUnprocessedStore()
  const keeper = createUnprocessedKeeper({ store, cipher, keepForMs: 1000, now: () => receivedAt })
  const opened = openGateway({ inbox, onUnprocessed: keeper.keep, ...options } as Partial<GatewayOptions>)
  const providers: readonly AnyProvider[] = [doorbell]
  const gateway = createGateway({
    providers,
    secrets: staticSecrets({ doorbell: [secret] }),
    inbox,
    // A day later: every signed time is too old by this clock.
    now: () => receivedAt + 86_400_000,
    ...corrected,
  } as GatewayOptions)
  const replay = createUnprocessedReplayer({ store, gateway, cipher })
  /** Sends a delivery, and returns the id under which it is kept. */
  async function keep(sent: Sent): Promise<string> {
    await opened.send(sent)
    await keeper.flush()
    return (await store.list({ limit: 1 }))[0]?.id ?? 'not kept'
  }
  return { ...opened, inbox, store, keep, replay }
}

const signed = async (body: Uint8Array, key?: string): Promise<Sent> => ({
  body,
  headers: await signBody(body, key),
})

describe('replay after a change of the secret', () => {
  it('verifies with the new secret before the lease of the old one ends', async () => {
    let values = ['the wrong secret']
    let age = 0
    const secrets = createSecretKeeper({ lease: () => ({ values }) }, { monotonicNow: () => age })
    const { keep, replay } = open({ secrets }, { secrets: staticSecrets({ doorbell: values }) })
    const id = await keep(await signed(rung()))
    expect(await replay(id)).toEqual({ outcome: 'refused', reason: 'mismatch' })
    values = [secret]
    age = 1000
    expect(await replay(id)).toEqual({ outcome: 'accepted', events: 1, deliveryId: id })
  })
})

describe('replay of an ignored delivery', () => {
  it('records the delivery once its provider handles the kind', async () => {
    const { keep, replay, inbox, store } = open({ providers: [laterDoorbell] })
    const id = await keep(await signed(polished))
    expect(await replay(id)).toEqual({ outcome: 'accepted', events: 1, deliveryId: id })
    expect(await inbox.get(id)).toMatchObject({
      receivedAt,
      body: polished,
      events: [{ event: { id: 'doorbell:bell.polished:1' } }],
    })
    expect(await store.get(id)).toBe(undefined)
    expect(await replay(id)).toBe(undefined)
  })

  it('keeps the delivery while its kind is ignored', async () => {
    const { keep, replay, store, inbox } = open()
    const id = await keep(await signed(polished))
    expect(await replay(id)).toEqual({ outcome: 'ignored' })
    expect(await store.get(id)).toMatchObject({ id })
    expect(await inbox.countDeliveries({})).toBe(0)
  })

  it('finds the duplicate of a delivery that the service has sent again', async () => {
    const { keep, replay, inbox } = open({ providers: [laterDoorbell] })
    const first = await keep(await signed(polished))
    const second = await keep(await signed(polished))
    expect(first).not.toBe(second)
    const results = [await replay(first), await replay(second)]
    expect(results.map((result) => result?.outcome)).toEqual(['accepted', 'duplicate'])
    expect(results[1]).not.toHaveProperty('deliveryId')
    expect(await inbox.countDeliveries({})).toBe(1)
  })

  it('quarantines the delivery when the provider cannot read it', async () => {
    const normalize = () => {
      throw new TypeError('a bug')
    }
    const { keep, replay, inbox } = open({ providers: [{ ...doorbell, normalize }] })
    const id = await keep(await signed(polished))
    expect(await replay(id)).toEqual({
      outcome: 'quarantined',
      reason: 'NORMALIZER_FAILED',
      deliveryId: id,
    })
    expect(await inbox.get(id)).toMatchObject({ status: 'quarantined', receivedAt })
  })

  it('needs no secret', async () => {
    const { keep, replay } = open({
      providers: [laterDoorbell],
      secrets: staticSecrets({ doorbell: ['new'] }),
    })
    expect((await replay(await keep(await signed(polished))))?.outcome).toBe('accepted')
  })
})

describe('replay of a refused delivery', () => {
  it('records the delivery under the time of its receipt after the secret was corrected', async () => {
    const { keep, replay, inbox } = open({ secrets: staticSecrets({ doorbell: ['the right secret'] }) })
    const id = await keep(await signed(rung(), 'the right secret'))
    expect(await replay(id)).toEqual({ outcome: 'accepted', events: 1, deliveryId: id })
    expect(await inbox.get(id)).toMatchObject({
      receivedAt,
      headers: { 'x-signature': '[redacted]' },
      events: [{ event: { ts: receivedAt, source: { receivedAt } } }],
    })
  })

  it('refuses a forged delivery again, and keeps it', async () => {
    const { keep, replay, store, inbox } = open()
    for (const sent of [{}, { headers: { 'x-signature': 'sha256=00' } }, await signed(rung(), 'a guess')]) {
      const id = await keep(sent)
      expect((await replay(id))?.outcome).toBe('refused')
      expect(await store.get(id)).toMatchObject({ id })
    }
    expect(await inbox.countDeliveries({})).toBe(0)
  })

  it('verifies the query of a delivery by GET', async () => {
    const scheme = hmac({
      algorithm: 'sha256',
      encoding: 'hex',
      header: 'x-signature',
      content: ({ method, body }) => [method, body],
    })
    const byQuery = defineProvider({
      ...doorbell,
      methods: ['GET', 'POST'],
      signature: scheme,
      parse: (body) => parseForm(body),
    })
    const { keep, replay } = open(
      { providers: [byQuery] },
      { providers: [byQuery], secrets: staticSecrets({ doorbell: ['a wrong secret'] }) },
    )
    const query = 'kind=rung&id=1&door=front'
    const delivery = { method: 'GET', headers: new Headers(), body: encodeBody(query) }
    const headers = await scheme.sign(delivery, secret, receivedAt)
    const id = await keep({ method: 'GET', query, headers, body: encodeBody('') })
    expect(await replay(id)).toEqual({ outcome: 'accepted', events: 1, deliveryId: id })
  })

  it('compares the signed time with the time of the receipt', async () => {
    const scheme = standardWebhooks()
    const key = `whsec_${Buffer.from('k'.repeat(32)).toString('base64')}`
    const timed = defineProvider({ ...doorbell, signature: scheme })
    const { keep, replay } = open(
      { providers: [timed], secrets: staticSecrets({ doorbell: [key] }) },
      {
        providers: [timed],
        secrets: staticSecrets({ doorbell: [`whsec_${Buffer.from('x'.repeat(32)).toString('base64')}`] }),
      },
    )
    const sign = async (at: number) => ({
      headers: await scheme.sign({ method: 'POST', headers: new Headers(), body: rung() }, key, at),
    })
    const recent = await keep(await sign(receivedAt - 60_000))
    expect((await replay(recent))?.outcome).toBe('accepted')
    // An attacker who sends a captured delivery late cannot get an earlier time of receipt.
    const late = await keep(await sign(receivedAt - 3_600_000))
    expect(await replay(late)).toEqual({ outcome: 'refused', reason: 'expired' })
  })

  it.each([
    { url: 'https://hooks.example/a?b=1' },
    { url: 'https://hooks.example/a?b=%31', alternativeUrls: ['https://hooks.example/a?b=1'] },
  ])('verifies a signature over one of the URLs, and records the query: %o', async (urls) => {
    const urlSigned = defineProvider({
      ...doorbell,
      signature: {
        ...signature,
        verify: ({ url, headers, body }, secrets) =>
          url === 'https://hooks.example/a?b=1' && headers.get('x-signature') === secrets[0]
            ? { verified: true, body }
            : { verified: false, reason: 'mismatch' },
      },
    })
    const store = createMemoryUnprocessedStore()
    const keeper = createUnprocessedKeeper({ store, cipher, keepForMs: 1000 })
    const inbox = createMemoryInbox()
    const openWith = (value: string) =>
      createGateway({
        providers: [urlSigned],
        secrets: staticSecrets({ doorbell: [value] }),
        inbox,
        onUnprocessed: keeper.keep,
      })
    await openWith('wrong').handle({
      method: 'POST',
      provider: 'doorbell',
      headers: new Headers({ 'x-signature': 'right' }),
      ...urls,
      readBody: async (sink) => {
        sink.push(rung())
      },
    })
    await keeper.flush()
    const [kept] = await store.list({ limit: 1 })
    const replay = createUnprocessedReplayer({ store, gateway: openWith('right'), cipher })
    expect((await replay(kept?.id ?? ''))?.outcome).toBe('accepted')
    const [recorded] = await inbox.list({ limit: 1 })
    expect((await inbox.get(recorded?.id ?? ''))?.query).toBe('b=1')
  })

  it('uses the secrets, the status and the kinds of its endpoint', async () => {
    const endpoint: GatewayEndpoint = {
      id: 'acme',
      provider: 'doorbell',
      status: 'active',
      secrets: ['the secret of acme'],
    }
    const found = (changes: Partial<GatewayEndpoint>) => ({
      endpoints: { find: () => ({ ...endpoint, ...changes }) },
    })
    const sent = async () => ({ ...(await signed(rung(), 'the secret of acme')), endpoint: 'acme' })
    const before = found({ secrets: ['a wrong secret'] })
    for (const [changes, outcome, reason] of [
      [{}, 'accepted', undefined],
      [{ secrets: ['still wrong'] }, 'refused', 'mismatch'],
      [{ status: 'disabled' }, 'refused', 'GONE'],
      [{ provider: 'mailbox' }, 'refused', 'UNKNOWN_ENDPOINT'],
      [{ options: { only: ['bell.polished'] } }, 'ignored', 'bell.rung'],
    ] as const) {
      const { keep, replay } = open(found(changes), before)
      const result = await replay(await keep(await sent()))
      expect([result?.outcome, result?.reason]).toEqual([outcome, reason])
    }
  })

  it('refuses a delivery of a provider that is not registered', async () => {
    const { keep, replay } = open({ providers: [] })
    expect(await replay(await keep({}))).toEqual({ outcome: 'refused', reason: 'UNKNOWN_PROVIDER' })
  })

  it('rejects with 503 while the inbox or the secret is unavailable', async () => {
    const inbox = { ...createMemoryInbox(), record: () => Promise.reject(new Error('disk full')) }
    const broken = open({ inbox, secrets: staticSecrets({ doorbell: ['right'] }) })
    const id = await broken.keep(await signed(rung(), 'right'))
    await expect(broken.replay(id)).rejects.toMatchObject({ code: 'INBOX_UNAVAILABLE', status: 503 })
    expect(await broken.store.get(id)).toMatchObject({ id })
  })

  it('rejects with 409 after its key was removed', async () => {
    const { keep, store } = open()
    const id = await keep({})
    const another = createSecretCipher([new Uint8Array(32).fill(2)])
    const gateway = createGateway({
      providers: [doorbell],
      secrets: staticSecrets({}),
      inbox: createMemoryInbox(),
    })
    const replay = createUnprocessedReplayer({ store, gateway, cipher: another })
    await expect(replay(id)).rejects.toMatchObject({ code: 'CONFLICT', status: 409 })
  })
})

it('rejects with 409 when the body was cut', async () => {
  const store = createMemoryUnprocessedStore()
  const keeper = createUnprocessedKeeper({
    ...{ store, cipher, keepForMs: 1000, bodyBytes: 5 },
    now: () => receivedAt,
  })
  const { gateway, deliver } = openGateway({ onUnprocessed: keeper.keep })
  await deliver({ body: polished })
  await keeper.flush()
  const [kept] = await store.list({ limit: 1 })
  const replay = createUnprocessedReplayer({
    store,
    gateway,
    cipher,
  })
  await expect(replay(kept?.id ?? '')).rejects.toMatchObject({ code: 'CONFLICT', status: 409 })
})
