import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { runner } from '../../test/runner.ts'
import { fitbit } from './fitbit.ts'
import samples from './fitbit.samples.json' with { type: 'json' }

testService(runner, {
  provider: fitbit,
  samples,
  sign: ({ body, secret }) => ({
    'x-fitbit-signature': createHmac('sha1', `${secret}&`).update(body).digest('base64'),
  }),
})

describe('fitbit verification', () => {
  const request = (code: string) => ({
    method: 'GET' as const,
    query: new URLSearchParams({ verify: code }),
    headers: new Headers(),
    body: new Uint8Array(),
    verify: () => Promise.resolve(false),
    secrets: ['client-secret', 'verify:code'],
  })

  it('answers the verification code with 204 and another code with 404', async () => {
    expect(await fitbit.handshake?.answer(request('code'))).toMatchObject({ status: 204 })
    expect(await fitbit.handshake?.answer(request('wrong'))).toMatchObject({ status: 404 })
  })
})
