import { expect, it } from 'vitest'
import { doorbell, openGateway, receivedAt, rung, secret, signBody } from '../../test/doorbell.ts'
import { createSecretCipher } from '../endpoints/index.ts'
import { createSecretKeeper, hmac, staticSecrets } from '../index.ts'
import type { EndpointSource } from '../ports/ports.ts'
import { createUnprocessedDiagnoser, type UnprocessedDiagnoserOptions } from './diagnoser.ts'
import { createUnprocessedKeeper } from './keeper.ts'
import { createMemoryUnprocessedStore } from './memory-store.ts'

const cipher = createSecretCipher([new Uint8Array(32).fill(1)])
const endpoints: EndpointSource = {
  find: (id) =>
    id === 'acme' ? { id, provider: 'doorbell', status: 'active', secrets: [`${secret}\n`] } : undefined,
}

function open(options: Partial<UnprocessedDiagnoserOptions> = {}, keeping: { bodyBytes?: number } = {}) {
  const store = createMemoryUnprocessedStore()
  const keeper = createUnprocessedKeeper({
    ...{ store, cipher, keepForMs: 1000, now: () => receivedAt },
    ...keeping,
  })
  const gateway = openGateway({ endpoints, onUnprocessed: keeper.keep })
  const explain = createUnprocessedDiagnoser({
    ...{ store, cipher, providers: [doorbell], endpoints },
    secrets: createSecretKeeper(staticSecrets({ doorbell: [secret] })),
    ...options,
  })
  return {
    explain,
    keeper,
    keep: async (sent: Parameters<typeof gateway.send>[0]) => {
      await gateway.send(sent)
      await keeper.flush()
      return (await store.list({ limit: 1 }))[0]?.id ?? 'not kept'
    },
  }
}

it('explains a delivery that was signed with another secret', async () => {
  const { explain, keep } = open()
  const id = await keep({ headers: await signBody(rung(), 'another secret') })
  expect(await explain(id)).toMatchObject({ verified: false, mistakes: [{ code: 'MISMATCH' }] })
  expect(await explain(await keep({}))).toMatchObject({ mistakes: [{ code: 'HEADER_MISSING' }] })
})

it('finds white space in the secret of an endpoint', async () => {
  const { explain, keep } = open()
  const id = await keep({ endpoint: 'acme', headers: await signBody(rung()) })
  const diagnosis = await explain(id)
  expect(diagnosis).toMatchObject({ verified: false, mistakes: [{ code: 'SECRET_WHITESPACE' }] })
  expect(JSON.stringify(diagnosis)).not.toContain(secret)
})

it('verifies the delivery after the secret was corrected', async () => {
  const secrets = createSecretKeeper(staticSecrets({ doorbell: ['the new secret'] }))
  const { explain, keep } = open({ secrets })
  const id = await keep({ headers: await signBody(rung(), 'the new secret') })
  expect(await explain(id)).toEqual({ verified: true, mistakes: [] })
})

it('verifies with each URL that the sender may have used', async () => {
  const signature = hmac({
    ...{ algorithm: 'sha256', encoding: 'hex', header: 'x-signature' },
    content: ({ url, body }) => [url, body],
  })
  const provider = { ...doorbell, signature }
  const delivery = {
    method: 'POST',
    headers: new Headers(),
    body: rung(),
    url: 'https://hooks.example/a?b=%20',
  }
  const { explain, keeper } = open({ providers: [provider] })
  keeper.keep({
    ...{ id: 'one', provider, endpoint: undefined, outcome: 'refused', status: 401, receivedAt },
    ...{
      method: 'POST',
      body: delivery.body,
      headers: new Headers(await signature.sign(delivery, secret, 0)),
    },
    ...{ url: 'https://hooks.example/a?b=+', alternativeUrls: [delivery.url], address: undefined },
  })
  await keeper.flush()
  expect(await explain('one')).toEqual({ verified: true, mistakes: [] })
})

it('rejects a delivery that was not refused, was cut, or has no provider', async () => {
  const conflict = { status: 409, code: 'CONFLICT' }
  const ignored = open()
  const id = await ignored.keep({
    body: Buffer.from('{"kind":"other"}'),
    headers: await signBody(Buffer.from('{"kind":"other"}')),
  })
  await expect(ignored.explain(id)).rejects.toMatchObject(conflict)
  const cut = open({}, { bodyBytes: 10 })
  await expect(cut.explain(await cut.keep({}))).rejects.toMatchObject(conflict)
  const removed = open({ providers: [] })
  await expect(removed.explain(await removed.keep({}))).rejects.toMatchObject(conflict)
  expect(await ignored.explain('unknown')).toBeUndefined()
})
