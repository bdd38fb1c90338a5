import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { expect, it } from 'vitest'
import { runner } from '../../test/runner.ts'
import { contentful } from './contentful.ts'
import samples from './contentful.samples.json' with { type: 'json' }

testService(runner, {
  provider: contentful,
  samples,
  sign: ({ text, headers, secret, now, url }) => {
    const values: Record<string, string> = { ...headers, 'x-contentful-timestamp': String(now) }
    const signed = [
      ['content-type', values['content-type']],
      ['x-contentful-signed-headers', values['x-contentful-signed-headers']],
      ['x-contentful-timestamp', values['x-contentful-timestamp']],
      ['x-contentful-topic', values['x-contentful-topic']],
    ].map((pair) => pair.join(':'))
    const content = ['POST', new URL(url).pathname, signed.join(';'), text].join('\n')
    return {
      'x-contentful-timestamp': String(now),
      'x-contentful-signature': createHmac('sha256', secret).update(content).digest('hex'),
    }
  },
})

it('signs the escaped query, as the toolkit of Contentful does', async () => {
  const delivery = {
    method: 'POST',
    url: 'https://hooks.example.com/hooks/contentful?a=b c&d=é',
    body: Buffer.from('{"sys":{"id":"1"}}'),
    headers: new Headers({
      'content-type': 'application/json',
      'x-contentful-signature': 'b0d9a205fe5a3692e381c497441bb222707946b33ce552115442a306dd53ad64',
      'x-contentful-signed-headers':
        'content-type,x-contentful-signed-headers,x-contentful-timestamp,x-contentful-topic',
      'x-contentful-timestamp': '1700000000000',
      'x-contentful-topic': 'ContentManagement.Entry.publish',
    }),
  }
  expect(await contentful.signature.verify(delivery, ['a'.repeat(64)], 1_700_000_000_000)).toMatchObject({
    verified: true,
  })
})
