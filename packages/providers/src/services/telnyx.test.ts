import { testService } from '@sallyport/webhooks/testing'
import { createPrivateKey, generateKeyPairSync, sign } from 'node:crypto'
import { expect, it } from 'vitest'
import { runner } from '../../test/runner.ts'
import { telnyx } from './telnyx.ts'
import samples from './telnyx.samples.json' with { type: 'json' }

const pair = generateKeyPairSync('ed25519')
const exportRaw = (key: Buffer) => key.subarray(-32).toString('base64')
const secret = exportRaw(pair.publicKey.export({ format: 'der', type: 'spki' }))
const signingSecret = exportRaw(pair.privateKey.export({ format: 'der', type: 'pkcs8' }))

testService(runner, {
  provider: telnyx,
  samples,
  secret,
  signingSecret,
  sign: ({ text, now, secret: key }) => {
    const der = Buffer.concat([
      Buffer.from('302e020100300506032b657004220420', 'hex'),
      Buffer.from(key, 'base64'),
    ])
    const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
    return {
      'telnyx-timestamp': String(now / 1000),
      'telnyx-signature-ed25519': sign(null, Buffer.from(`${now / 1000}|${text}`), privateKey).toString(
        'base64',
      ),
    }
  },
})

it('gives a retry with another attempt the same key', () => {
  const [sample] = samples
  const keys = [1, 2].map((attempt) => {
    const payload = { ...sample?.body, meta: { ...sample?.body.meta, attempt } }
    const delivery = { payload, headers: new Headers(), body: new Uint8Array([attempt]), receivedAt: 0 }
    return telnyx.normalize(delivery)[0]?.key
  })
  expect(keys[0]).toEqual(['b301ed3f-1490-491f-995f-6e64e69674d4'])
  expect(keys[1]).toEqual(keys[0])
})

it('reads a click on a short link, which has no envelope', () => {
  const payload = {
    record_type: 'link_clicked',
    message_id: '7ee4241c-f127-47e5-9c34-3aac291f8058',
    time_clicked: '2026-01-03T14:45:45.450Z',
  }
  const delivery = { payload, headers: new Headers(), body: new Uint8Array(), receivedAt: 0 }
  expect(telnyx.normalize(delivery)[0]).toMatchObject({
    kind: 'link_clicked',
    subject: payload.message_id,
    occurredAt: Date.parse(payload.time_clicked),
  })
})
