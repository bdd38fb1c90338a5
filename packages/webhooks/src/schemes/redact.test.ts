import { expect, it } from 'vitest'
import { encodeBody, doorbell, openGateway, receivedAt, rung } from '../../test/doorbell.ts'
import { createMemoryInbox } from '../memory/inbox.ts'
import { defineProvider } from '../provider/provider.ts'
import { defineService } from '../provider/service.ts'
import { redactHeaders, redactQuery, storedHeaders } from './redact.ts'
import { createReplayer } from '../operations/replayer.ts'
import { hmac } from './hmac.ts'
import { querySignature, queryToken } from './query-signature.ts'
import { standardWebhooks } from './standard-webhooks.ts'
import { staticSecrets } from '../secrets/secret-keeper.ts'

const signature = standardWebhooks({ prefix: 'svix' })
const secret = `whsec_${Buffer.from('a key of twenty-four byt').toString('base64')}`

it.each([
  'api-key',
  'X-ApiKey',
  'x-access-key',
  'x-functions-key',
  'x-webhook-key',
  'key',
  'authorization',
  'x-auth-token',
  'cookie',
  // Similar to names without a credential.
  'x-prevent-key',
  'x-routing-key',
  'x-event-grid-key',
  'x-author-pass',
  'x-authority',
  'x-passphrase',
])('replaces the credential in %s', (name) => {
  const stored = redactHeaders(new Headers({ [name]: 'v' }), { signature })
  expect(stored).toEqual({ [name.toLowerCase()]: '[redacted]' })
})

it.each(['x-event-key', 'idempotency-key', 'x-author', 'x-author-id', 'svix-id', 'svix-timestamp'])(
  'keeps the value of %s',
  (name) => {
    expect(redactHeaders(new Headers({ [name]: 'v' }), { signature })).toEqual({ [name]: 'v' })
  },
)

it.each([
  ['data.id=1&type=payment', 'data.id=1&type=payment'],
  ['a=1&a=2&b=%C3%84+c', 'a=1&a=2&b=%C3%84+c'],
  ['', undefined],
  ['token=v', 'token=%5Bredacted%5D'],
  [
    'door=front&api_key=v&code=v&sig=v',
    'door=front&api_key=%5Bredacted%5D&code=%5Bredacted%5D&sig=%5Bredacted%5D',
  ],
  ['bodySHA256=00&codec=a', 'bodySHA256=00&codec=a'],
])('stores the query %j as %j', (query, stored) => {
  expect(redactQuery(new URLSearchParams(query), { signature })).toBe(stored)
})

// Regression: a parameter with another name than a credential was stored in clear text.
it.each([
  ['queryToken', queryToken('t')],
  ['querySignature', hmac({ algorithm: 'sha256', encoding: 'hex', header: querySignature('t') })],
])('replaces the parameter of %s', (_, signature) => {
  expect(redactQuery(new URLSearchParams('t=v&tt=1&t=v'), { signature })).toBe(
    't=%5Bredacted%5D&tt=1&t=%5Bredacted%5D',
  )
})

it('records a delivery without the secret in its query', async () => {
  const { gateway, recorded } = openGateway({
    providers: [defineProvider({ ...doorbell, signature: queryToken('t') })],
    secrets: staticSecrets({ doorbell: ['v'] }),
    allowUnsigned: ['doorbell'],
  })
  const url = 'https://hooks.example/webhooks/doorbell?t=v&door=front'
  await gateway.handle({
    ...{ method: 'POST', provider: 'doorbell', url, query: new URL(url).searchParams },
    headers: new Headers(),
    readBody: async (sink) => {
      sink.push(rung())
    },
  })
  expect(recorded.map(({ record: { query } }) => query)).toEqual(['t=%5Bredacted%5D&door=front'])
})

it('records the query of a delivery, also in quarantine', async () => {
  const inbox = createMemoryInbox()
  const { deliver, recorded } = openGateway({ inbox })
  await deliver({ query: 'door=front&token=v' })
  await deliver({ body: encodeBody({ kind: 'broken' }), query: 'door=back' })
  await deliver({ body: encodeBody({ kind: 'broken', id: '2' }) })
  expect(recorded.map(({ record: { query } }) => query)).toEqual([
    'door=front&token=%5Bredacted%5D',
    'door=back',
    undefined,
  ])
})

it('reads redacted headers as absent and other headers by a case-insensitive name', () => {
  const headers = storedHeaders({ 'svix-signature': '[redacted]', 'svix-id': 'msg_1' })
  expect([headers.get('Svix-Signature'), headers.get('Svix-Id'), headers.get('constructor')]).toEqual([
    null,
    'msg_1',
    null,
  ])
  expect([...headers]).toEqual([['svix-id', 'msg_1']])
})

const keyed = (isBroken: boolean) =>
  defineProvider({
    ...doorbell,
    signature,
    normalize({ headers }) {
      if (isBroken) throw new Error('unreadable')
      const id = headers.get('svix-id')
      return { kind: 'bell.rung', key: [id as string], subject: 'front', data: { door: 'front' } } as const
    },
  })

async function quarantined(names: readonly string[]) {
  const inbox = createMemoryInbox()
  const { send, recorded } = openGateway({
    inbox,
    providers: [keyed(true)],
    secrets: staticSecrets({ doorbell: [secret] }),
  })
  for (const name of names) {
    const body = encodeBody({ name })
    const headers = new Headers({ 'svix-id': name })
    const signed = await signature.sign({ method: 'POST', headers, body }, secret, receivedAt)
    expect((await send({ headers: signed, body })).said).toBe('quarantined')
  }
  return { inbox, recorded, replayer: createReplayer({ inbox, providers: [keyed(false)] }) }
}

it('keeps the signed ids of quarantined deliveries', async () => {
  // Regression: the key contained the placeholder, and two deliveries were lost as duplicates.
  const { replayer } = await quarantined(['msg_1', 'msg_2', 'msg_3'])
  const { deliveries } = await replayer.replay({ filter: { status: 'quarantined' }, limit: 10 })
  expect(deliveries.flatMap(({ events }) => events)).toEqual([
    'doorbell:bell.rung:msg_1',
    'doorbell:bell.rung:msg_2',
    'doorbell:bell.rung:msg_3',
  ])
})

it('keeps a delivery in quarantine when its id is redacted', async () => {
  const { recorded } = await quarantined(['msg_1'])
  const { record } = recorded[0]!
  const inbox = createMemoryInbox()
  await inbox.record({ ...record, headers: { ...record.headers, 'svix-id': '[redacted]' } })
  const { deliveries } = await createReplayer({ inbox, providers: [keyed(false)] }).replay({
    ids: [record.id],
  })
  expect(deliveries).toMatchObject([{ outcome: 'quarantined', reason: 'NORMALIZER_FAILED' }])
})

it('stores the id of a delivery that the service declares, so that a replay computes the same key', () => {
  const deliveryId = { header: 'X-Bell-Token' }
  const bell = defineService({ name: 'bell', signature, kind: 'type', distinct: true, deliveryId })
  expect(redactHeaders(new Headers({ 'x-bell-token': 'd1', 'x-token': 's' }), bell)).toEqual({
    'x-bell-token': 'd1',
    'x-token': '[redacted]',
  })
})
