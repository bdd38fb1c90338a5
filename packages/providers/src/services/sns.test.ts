import { testService } from '@sallyport/webhooks/testing'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { runner } from '../../test/runner.ts'
import { answerWithCertificate, signSnsMessage, withTestKey } from '../../test/sns.ts'
import { sns } from './sns.ts'
import samples from './sns.samples.json' with { type: 'json' }

beforeEach(() => {
  vi.stubGlobal('fetch', answerWithCertificate)
})
afterEach(() => {
  vi.unstubAllGlobals()
})

testService(runner, {
  provider: withTestKey(sns),
  samples,
  secret: 'arn:aws:sns:eu-west-1:123456789012:orders',
  sign: ({ body }) => ({ headers: {}, body: signSnsMessage(body) }),
})

it('refuses a message of another topic', async () => {
  const body = signSnsMessage(Buffer.from(JSON.stringify(samples[0]?.body)))
  const verify = async (topic: string) =>
    (await sns.signature.verify({ method: 'POST', headers: new Headers(), body }, [topic], 0)).verified
  expect(await verify('arn:aws:sns:eu-west-1:123456789012:orders')).toBe(true)
  expect(await verify('arn:aws:sns:eu-west-1:210987654321:orders')).toBe(false)
})
