import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { encodeBody, doorbell, openGateway, receivedAt, signature, type Sent } from '../../test/doorbell.ts'
import { hmac, signedTime, standardWebhooks, type SignatureScheme } from '../index.ts'

const key = Buffer.from('a key of twenty-four byt').toString('base64')
const body = encodeBody({ kind: 'broken' })

/** Quarantines deliveries. Returns their number in the inbox and the last key. */
async function quarantined(scheme: SignatureScheme, ...signed: { id?: string; at?: number }[]) {
  const { send, recorded } = openGateway({
    providers: [{ ...doorbell, signature: scheme }],
    secrets: { lease: () => ({ values: [key] }) },
  })
  for (const { id = 'msg_1', at = 0 } of signed) {
    const now = receivedAt + at
    const request = { method: 'POST', headers: new Headers({ 'webhook-id': id }), body }
    const proof: Sent['headers'] = await scheme.sign(request, key, now)
    expect((await send({ headers: proof, body })).said).toBe('quarantined')
  }
  const stored = recorded.filter(({ result }) => !result.events[0]?.duplicate)
  return { count: stored.length, key: recorded.at(-1)?.record.quarantine?.key }
}

const minute = 60_000
const timed = hmac({
  ...{ algorithm: 'sha256', encoding: 'hex', header: 'x-signature' },
  timestamp: signedTime({ header: 'x-time' }),
  content: ({ timestamp, body }) => [timestamp, '.', body],
})

it('distinguishes equal bodies by their signed ids', async () => {
  // Regression: the second delivery was dropped as a duplicate.
  expect(await quarantined(standardWebhooks(), { id: 'msg_1' }, { id: 'msg_2' })).toMatchObject({ count: 2 })
})

it('stores a redelivery with another time once', async () => {
  expect(await quarantined(standardWebhooks(), {}, { at: minute })).toMatchObject({ count: 1 })
  expect(await quarantined(timed, {}, { at: minute })).toMatchObject({ count: 1 })
})

it('is the hash of the body without a signed id', async () => {
  const hash = createHash('sha256').update(body).digest('hex')
  for (const scheme of [signature, timed]) {
    expect((await quarantined(scheme, {})).key).toBe(`doorbell:sha256:${hash}`)
  }
})

it('contains all signed headers of a scheme without `signedIds`', async () => {
  // Regression: the second delivery was dropped as a duplicate.
  const withoutIds = { ...standardWebhooks(), signedIds: undefined }
  expect(await quarantined(withoutIds, {}, { id: 'msg_2' })).toMatchObject({ count: 2 })
  const untimed = { ...withoutIds, signedHeaders: ['webhook-id'] }
  expect(await quarantined(untimed, {}, { id: 'msg_2' }, { at: minute })).toMatchObject({ count: 2 })
})
