import { testService } from '@sallyport/webhooks/testing'
import { generateKeyPairSync, sign } from 'node:crypto'
import { expect, it } from 'vitest'
import { runner } from '../../test/runner.ts'
import { wise } from './wise.ts'
import samples from './wise.samples.json' with { type: 'json' }

const pair = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { format: 'pem', type: 'spki' },
  privateKeyEncoding: { format: 'pem', type: 'pkcs8' },
})

testService(runner, {
  provider: wise,
  samples,
  sign: ({ body, secret }) => ({ 'x-signature-sha256': sign('sha256', body, secret).toString('base64') }),
  secret: pair.publicKey,
  signingSecret: pair.privateKey,
})

it('gives one id to two attempts, and different ids to two states of one second', () => {
  const identify = (changes: object, state = 'processing') => {
    const body = samples[0]!.body
    const payload = { ...body, ...changes, data: { ...body.data, current_state: state } }
    const delivery = { payload, headers: new Headers(), body: new Uint8Array(), receivedAt: 0 }
    return wise.normalize(delivery)[0]?.content
  }
  const first = identify({})
  expect(first).toBeDefined()
  expect(identify({ sent_at: '2026-01-01T12:40:57Z' })).toBe(first)
  expect(identify({}, 'funds_converted')).not.toBe(first)
})
