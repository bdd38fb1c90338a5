import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { expect, it } from 'vitest'
import { runner } from '../../test/runner.ts'
import { circleci } from './circleci.ts'
import samples from './circleci.samples.json' with { type: 'json' }

testService(runner, {
  provider: circleci,
  samples,
  sign: ({ body, secret }) => ({
    'circleci-signature': `v1=${createHmac('sha256', secret).update(body).digest('hex')}`,
  }),
})

it('verifies the example of the documentation', async () => {
  const headers = new Headers({
    'circleci-signature': 'v1=734cc62f32841568f45715aeb9f4d7891324e6d948e4c6c60c0621cdac48623a,v2=other',
  })
  const delivery = { method: 'POST', headers, body: Buffer.from('hello world') }
  expect(await circleci.signature.verify(delivery, ['secret'], 0)).toMatchObject({ verified: true })
})
