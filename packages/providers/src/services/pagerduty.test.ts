import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { expect, it } from 'vitest'
import { runner } from '../../test/runner.ts'
import { pagerduty } from './pagerduty.ts'
import samples from './pagerduty.samples.json' with { type: 'json' }

testService(runner, {
  provider: pagerduty,
  samples,
  sign: ({ body, secret }) => ({
    'x-pagerduty-signature': `v1=${createHmac('sha256', secret).update(body).digest('hex')}`,
  }),
})

it('accepts the signature of one of two secrets during a rotation', async () => {
  const body = Buffer.from('{}')
  const [one, other] = ['old', 'new'].map((key) => createHmac('sha256', key).update(body).digest('hex'))
  const headers = new Headers({ 'x-pagerduty-signature': `v1=${one},v1=${other}` })
  const verdict = await pagerduty.signature.verify({ method: 'POST', headers, body }, ['new'], 0)
  expect(verdict).toMatchObject({ verified: true })
})
