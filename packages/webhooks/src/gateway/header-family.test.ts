import { expect, it } from 'vitest'
import { encodeBody, openGateway, receivedAt } from '../../test/doorbell.ts'
import { defineService, standardWebhooks } from '../index.ts'

const key = Buffer.from('a key of twenty-four byt').toString('base64')
const signature = standardWebhooks({ prefix: 'svix' })
const bell = defineService({
  name: 'bell',
  signature,
  kind: 'kind',
  id: { header: 'svix-id' },
  only: ['rung'],
})
const secrets = { lease: () => ({ values: [key] }) }

const fail = (): never => {
  throw new TypeError('The body has another form')
}

async function signBoth(payload: unknown) {
  const body = encodeBody(payload)
  const own = await signature.sign({ method: 'POST', headers: new Headers(), body }, key, receivedAt)
  const entries = Object.entries(own).map(([name, value]) => [name.replace('svix', 'webhook'), value])
  const renamed = Object.fromEntries(entries) as Readonly<Record<string, string>>
  return { body, own, renamed }
}

// Regression: the id of the copy was absent, so that the hash of the body identified a second event.
it('recognizes a copy whose headers were renamed to the other family', async () => {
  const { send, recorded } = openGateway({ providers: [bell], secrets })
  const { body, own, renamed } = await signBoth({ kind: 'rung' })
  const first = await send({ provider: 'bell', headers: own, body })
  const second = await send({ provider: 'bell', headers: renamed, body })
  expect([first.said, second.said]).toEqual(['accepted', 'duplicate'])
  expect(second.events.map(({ id }) => id)).toEqual([`bell:rung:${own['svix-id']}`])
  expect(recorded[1]?.record.headers).toEqual(recorded[0]?.record.headers)
})

it('recognizes a renamed copy in quarantine', async () => {
  const { send, recorded } = openGateway({ providers: [{ ...bell, normalize: fail }], secrets })
  const { body, own, renamed } = await signBoth({ kind: '' })
  for (const headers of [own, renamed]) await send({ provider: 'bell', headers, body })
  const [first, second] = recorded.map(({ record }) => record.quarantine?.key)
  expect(first).toContain(own['svix-id'])
  expect(second).toBe(first)
})

it('keeps an ignored delivery with the verified names of its headers', async () => {
  const kept: (string | null)[] = []
  const onUnprocessed = ({ headers }: { headers: Pick<Headers, 'get'> }) => kept.push(headers.get('svix-id'))
  const { send } = openGateway({ providers: [bell], secrets, onUnprocessed })
  const { body, own, renamed } = await signBoth({ kind: 'other' })
  expect((await send({ provider: 'bell', headers: renamed, body })).said).toBe('ignored')
  expect(kept).toEqual([own['svix-id']])
})

it('recognizes a renamed copy that is processed again', async () => {
  const { send, gateway } = openGateway({ providers: [bell], secrets })
  const { body, own, renamed } = await signBoth({ kind: 'rung' })
  await send({ provider: 'bell', headers: own, body })
  const kept = {
    id: '1',
    provider: 'bell',
    isVerified: false,
    headers: new Headers(renamed),
    body,
    receivedAt,
  }
  expect(await gateway.reprocess(kept)).toEqual({ outcome: 'duplicate' })
})
