import { testService } from '@sallyport/webhooks/testing'
import { expect, it } from 'vitest'
import { runner } from '../../test/runner.ts'
import { microsoftGraph } from './microsoft-graph.ts'
import samples from './microsoft-graph.samples.json' with { type: 'json' }

testService(runner, {
  provider: microsoftGraph,
  samples,
  sign: ({ text, secret }) => {
    const { value } = JSON.parse(text) as { value: readonly object[] }
    return {
      headers: {},
      body: Buffer.from(JSON.stringify({ value: value.map((one) => ({ ...one, clientState: secret })) })),
    }
  },
})

const verify = async (...states: readonly unknown[]) => {
  const body = Buffer.from(JSON.stringify({ value: states.map((clientState) => ({ clientState })) }))
  const delivery = { method: 'POST', headers: new Headers(), body }
  return (await microsoftGraph.signature.verify(delivery, ['state'], 0)).verified
}

it('refuses a delivery in which one notification has another state', async () => {
  expect(await verify('state', 'state')).toBe(true)
  expect(await verify('state', 'other')).toBe(false)
  expect(await verify('state', undefined)).toBe(false)
  expect(await verify()).toBe(false)
})

it('answers the validation of a subscription with the decoded token', async () => {
  const answer = await microsoftGraph.handshake?.answer({
    method: 'POST',
    query: new URLSearchParams('validationToken=Validation%3A%20Testing%20client'),
    headers: new Headers(),
    body: new Uint8Array(),
    verify: () => Promise.resolve(false),
    secrets: [],
  })
  expect(answer).toMatchObject({ contentType: 'text/plain', body: 'Validation: Testing client' })
})
