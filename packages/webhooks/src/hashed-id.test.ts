import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { bytesOf, doorbell, openGateway, receivedAt, signature } from '../test/doorbell.ts'
import { createReplayer, hmac, memoryInbox, signedTime, standardWebhooks } from './index.ts'
import type { AnyProvider, SignatureScheme } from './index.ts'

const secret = Buffer.from('a key of twenty-four byt').toString('base64')
const body = bytesOf('{"ping":true}')
const bodyHash = `doorbell:sha256:${createHash('sha256').update(body).digest('hex')}`
const minute = 60_000

/** A provider whose events have no key. */
const keyless = (scheme: SignatureScheme, count = 1): AnyProvider => ({
  ...doorbell,
  signature: scheme,
  events: { 'bell.rung': z.object({}) },
  normalize: () => Array.from({ length: count }, () => ({ kind: 'bell.rung', subject: 'front', data: {} })),
})

function opened(provider: AnyProvider) {
  const inbox = memoryInbox()
  const { send } = openGateway({
    providers: [provider],
    inbox,
    secrets: { lease: () => ({ values: [secret] }) },
  })
  return {
    inbox,
    deliver: async (id = 'msg_1', at = 0) => {
      const request = { method: 'POST', headers: new Headers({ 'webhook-id': id }), body }
      const { said, events } = await send({
        headers: await provider.signature.sign(request, secret, receivedAt + at),
        body,
      })
      return { said, ids: events.map((event) => event.id) }
    },
  }
}

describe('the id of an event without a key', () => {
  // The second was once taken for the first, and dropped.
  it('is another for equal bodies with other signed ids', async () => {
    const { deliver } = opened(keyless(standardWebhooks(), 2))
    const deliveries = [await deliver('msg_1'), await deliver('msg_2')]
    expect(deliveries.map(({ said }) => said)).toEqual(['accepted', 'accepted'])
    expect(new Set(deliveries.flatMap(({ ids }) => ids)).size).toBe(4)
    for (const id of deliveries.flatMap(({ ids }) => ids)) expect(id).toMatch(/^doorbell:sha256:/)
  })

  it('stays what it is in a retry, at whatever time that is signed', async () => {
    const { deliver } = opened(keyless(standardWebhooks(), 2))
    const { ids } = await deliver('msg_1')
    expect(await deliver('msg_1', minute)).toEqual({ said: 'duplicate', ids })
  })

  const timed = hmac({
    ...{ algorithm: 'sha256', encoding: 'hex', header: 'x-signature' },
    timestamp: signedTime({ header: 'x-time' }),
    content: ({ timestamp, body }) => [timestamp, '.', body],
  })
  it.each([
    ['signs no id', timed],
    ['signs the body alone', signature],
    ['does not say what is an id', { ...standardWebhooks(), signedIds: undefined }],
  ])('is the hash of the body where a scheme %s', async (_, scheme) => {
    expect((await opened(keyless(scheme, 3)).deliver()).ids).toEqual([
      bodyHash,
      `${bodyHash}:1`,
      `${bodyHash}:2`,
    ])
  })

  it('fits an engine however long the signed id is', async () => {
    const { deliver } = opened(keyless(standardWebhooks()))
    const deliveries = [await deliver(`${'x'.repeat(255)}a`), await deliver(`${'x'.repeat(255)}b`)]
    expect(deliveries.map(({ said }) => said)).toEqual(['accepted', 'accepted'])
    for (const [id = ''] of deliveries.map(({ ids }) => ids)) expect(id.length).toBeLessThan(256)
  })

  it('is the same once the delivery is replayed out of quarantine', async () => {
    const mended = keyless(standardWebhooks(), 2)
    const live = await opened(mended).deliver()
    const broken = (): never => {
      throw new Error('cannot read it')
    }
    const { deliver, inbox } = opened({ ...mended, normalize: broken })
    expect((await deliver()).said).toBe('quarantined')
    const replayer = createReplayer({ inbox, providers: [mended] })
    const { deliveries } = await replayer.replay({ filter: { status: 'quarantined' }, limit: 10 })
    expect(deliveries.map(({ events }) => events)).toEqual([live.ids])
  })
})
