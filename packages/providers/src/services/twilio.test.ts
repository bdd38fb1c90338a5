import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { expect, it } from 'vitest'
import { runner } from '../../test/runner.ts'
import { twilio } from './twilio.ts'
import samples from './twilio.samples.json' with { type: 'json' }

const parse = (text: string, integers?: 'number') => twilio.parse!(new TextEncoder().encode(text), integers)

it('parses large integers as the option says', () => {
  expect(parse('[{"id":9007199254740993}]')).toEqual([{ id: '9007199254740993' }])
  expect(parse('[{"id":9007199254740993}]', 'number')).toEqual([{ id: Number('9007199254740993') }])
})

it('rejects JSON that nests deeper than 100 levels', () => {
  expect(() => parse('['.repeat(101) + ']'.repeat(101))).toThrow('nests deeper')
})

testService(runner, {
  provider: twilio,
  samples,
  sign: ({ text, url, secret }) => {
    const fields = [...new URLSearchParams(text)].sort(([one], [two]) => (one < two ? -1 : 1))
    const content = url + fields.map(([name, value]) => name + value).join('')
    return { 'x-twilio-signature': createHmac('sha1', secret).update(content).digest('base64') }
  },
})
