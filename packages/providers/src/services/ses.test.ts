import { testService } from '@sallyport/webhooks/testing'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { runner } from '../../test/runner.ts'
import { answerWithCertificate, signSnsMessage, withTestKey } from '../../test/sns.ts'
import { ses } from './ses.ts'
import samples from './ses.samples.json' with { type: 'json' }

beforeEach(() => {
  vi.stubGlobal('fetch', answerWithCertificate)
})
afterEach(() => {
  vi.unstubAllGlobals()
})

testService(runner, {
  provider: withTestKey(ses),
  samples,
  secret: 'arn:aws:sns:eu-west-1:123456789012:mail',
  sign: ({ body }) => ({ headers: {}, body: signSnsMessage(body) }),
})

it('passes a message that is not JSON through as text', () => {
  const body = Buffer.from(JSON.stringify({ Type: 'Notification', MessageId: 'm1', Message: 'Hello' }))
  const payload = ses.parse?.(body)
  expect(ses.normalize({ payload, headers: new Headers(), body, receivedAt: 0 })).toMatchObject([
    { kind: 'Notification', key: ['m1'], data: 'Hello' },
  ])
})
