import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { expect, it } from 'vitest'
import { runner } from '../../test/runner.ts'
import { supabaseAuth } from './supabase-auth.ts'
import samples from './supabase-auth.samples.json' with { type: 'json' }

testService(runner, {
  provider: supabaseAuth,
  samples,
  secret: `v1,whsec_${btoa('a secret of a hook of Supabase')}`,
  sign: ({ text, headers, secret, now }) => {
    const id = headers['webhook-id'] ?? ''
    const time = String(now / 1000)
    const key = Buffer.from(secret.slice('v1,whsec_'.length), 'base64')
    const signWith = (own: Buffer | string) =>
      `v1,${createHmac('sha256', own).update(`${id}.${time}.${text}`).digest('base64')}`
    return { 'webhook-timestamp': time, 'webhook-signature': `${signWith('an older key')}, ${signWith(key)}` }
  },
})

it('gives the same event to two attempts, whose ids in the header differ', () => {
  const normalize = (id: string) =>
    supabaseAuth.normalize({
      payload: samples[2]?.body,
      headers: new Headers({ 'webhook-id': id }),
      body: new Uint8Array(),
      receivedAt: 0,
    })[0]?.key
  expect(normalize('1')).toEqual(normalize('2'))
})
