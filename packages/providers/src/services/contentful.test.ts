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

/** Signs like Contentful, and returns the verdict on the delivery after a change of its headers. */
async function verifyChanged(
  signed: Readonly<Record<string, string>>,
  changed: Readonly<Record<string, string>>,
) {
  const secret = 'a'.repeat(64)
  const names = Object.keys(signed).toSorted()
  const lines = names.map((name) => `${name}:${signed[name]}`).join(';')
  const content = ['POST', '/hooks/contentful', lines, '{}'].join('\n')
  const delivery = {
    method: 'POST',
    url: 'https://hooks.example.com/hooks/contentful',
    body: Buffer.from('{}'),
    headers: new Headers({
      ...signed,
      'x-contentful-signature': createHmac('sha256', secret).update(content).digest('hex'),
      ...changed,
    }),
  }
  return contentful.signature.verify(delivery, [secret], now)
}

const now = 1_700_000_000_000
const signedHeaders = (time: number) => ({
  'content-type': 'application/json; charset=utf-8',
  'x-contentful-crn': 'crn:contentful',
  'x-contentful-signed-headers':
    'content-type,x-contentful-crn,x-contentful-signed-headers,x-contentful-timestamp,x-contentful-topic',
  'x-contentful-timestamp': String(time),
  'x-contentful-topic': 'ContentManagement.Entry.save',
})

it('accepts a content type with a parameter', async () => {
  expect(await verifyChanged(signedHeaders(now), {})).toMatchObject({ verified: true })
})

// Regression: the sender chooses the list, and moved the signed time and topic into the value of another header.
it('rejects an old delivery whose time and topic are inside another value', async () => {
  const signed = signedHeaders(now - 86_400_000)
  const [[, first], ...others] = Object.entries(signed) as [[string, string], ...[string, string][]]
  const fresh = {
    'x-contentful-timestamp': String(now),
    'x-contentful-topic': 'ContentManagement.Entry.delete',
  }
  const merged = [first, ...others.map((pair) => pair.join(':'))].join(';')
  const one = { ...fresh, 'content-type': merged, 'x-contentful-signed-headers': 'content-type' }
  expect(await verifyChanged(signed, one)).toMatchObject({ verified: false })
  const all = { ...one, 'x-contentful-signed-headers': signed['x-contentful-signed-headers'] }
  expect(await verifyChanged(signed, all)).toMatchObject({ verified: false })
})

it.each(['x-contentful-timestamp', 'x-contentful-topic'])('rejects a list without %s', async (name) => {
  const signed = Object.fromEntries(Object.entries(signedHeaders(now)).filter(([own]) => own !== name))
  const listed = Object.keys(signed).join(',')
  const unsigned = { [name]: signedHeaders(now)[name as 'x-contentful-topic'] }
  expect(await verifyChanged({ ...signed, 'x-contentful-signed-headers': listed }, unsigned)).toMatchObject({
    verified: false,
  })
})

it('rejects a signed value with the form of a further header', async () => {
  const signed = { ...signedHeaders(now), 'x-contentful-crn': 'crn;x-contentful-topic:other' }
  expect(await verifyChanged(signed, {})).toMatchObject({ verified: false })
})
