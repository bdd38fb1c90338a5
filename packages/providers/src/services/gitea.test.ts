import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { expect, it } from 'vitest'
import { runner } from '../../test/runner.ts'
import { gitea } from './gitea.ts'
import samples from './gitea.samples.json' with { type: 'json' }

testService(runner, {
  provider: gitea,
  samples,
  sign: ({ body, secret }) => ({
    'x-gitea-signature': createHmac('sha256', secret).update(body).digest('hex'),
  }),
})

it('refuses an empty signature', async () => {
  const delivery = {
    method: 'POST',
    headers: new Headers({ 'x-gitea-signature': '' }),
    body: Buffer.from('{}'),
  }
  expect(await gitea.signature.verify(delivery, ['secret'], 0)).toMatchObject({ verified: false })
})
