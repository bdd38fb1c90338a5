import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { expect, it } from 'vitest'
import { runner } from '../../test/runner.ts'
import { hygraph } from './hygraph.ts'
import samples from './hygraph.samples.json' with { type: 'json' }

testService(runner, {
  provider: hygraph,
  samples,
  sign: ({ text, secret, now }) => {
    const content = JSON.stringify({ Body: text, EnvironmentName: 'production', TimeStamp: now })
    const signature = createHmac('sha256', secret).update(content).digest('base64')
    return { 'gcms-signature': `sign=${signature}, env=production, t=${now}` }
  },
})

it('signs the body in a JSON text', async () => {
  const headers = new Headers({
    'gcms-signature': 'sign=6FkDYx4M/uM+98PkroLi0q5IN+up2AtQjQt2vEDTjCU=, env=master, t=1700000000000',
  })
  const delivery = { method: 'POST', headers, body: Buffer.from('{"id":"1","type":"test"}') }
  expect(await hygraph.signature.verify(delivery, ['secret'], 1_700_000_000_000)).toMatchObject({
    verified: true,
  })
})

it.each([
  ['without an environment', 'sign={signature}, t=1700000000000'],
  ['with another name of the environment', 'sign={signature}, enw=master, t=1700000000000'],
  ['with a longer name of the environment', 'sign={signature}, xenv=master, t=1700000000000'],
])('rejects a header %s', async (_, header) => {
  const signature = '6FkDYx4M/uM+98PkroLi0q5IN+up2AtQjQt2vEDTjCU='
  const headers = new Headers({ 'gcms-signature': header.replace('{signature}', signature) })
  const delivery = { method: 'POST', headers, body: Buffer.from('{"id":"1","type":"test"}') }
  expect(await hygraph.signature.verify(delivery, ['secret'], 1_700_000_000_000)).toMatchObject({
    verified: false,
  })
})
